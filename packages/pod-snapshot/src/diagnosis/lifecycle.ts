/**
 * Diagnoses pods as a whole: deletion, eviction, refusal by the kubelet, deadlines, lost nodes, resizes, sandboxes,
 * readiness gates, and pods that still start.
 */
import { addMilliseconds, type Instant } from '@podscope/trace';
import { type ExplainText, type FieldFact, type NextCommand, textOf } from '@podscope/trace/explain';
import { instantOf } from '../read-snapshots.ts';
import { bytesOf, more as moreThan, quantityNanos } from './memory.ts';
import {
  conditionOf,
  eventFact,
  type Finding,
  factsOf,
  failedOutlook,
  logsCommand,
  type Matcher,
  newest,
  onNode,
  type PodCase,
  pathOfCondition,
  roughly,
  runtimeTool,
  timed,
} from './pod-case.ts';

const describeNode = (it: PodCase): NextCommand => ({
  why: textOf('nodeDescribe', { node: it.node }),
  command: `kubectl describe node ${it.node}`,
});

const replacement = ({ owner }: PodCase): ExplainText =>
  owner.kind === 'StatefulSet' || owner.kind === 'DaemonSet'
    ? textOf('replacedAfter', { owner: owner.label })
    : owner.replaces
      ? textOf('replaced', { owner: owner.label })
      : textOf('notReplaced');

/** Whether and why the node doesn't answer. */
function lostNode(
  it: PodCase,
): { readonly since: Instant | undefined; readonly facts: readonly FieldFact[] } | undefined {
  const event = newest(it.events, ['NodeNotReady']);
  const ready = conditionOf(it, 'Ready');
  const target = conditionOf(it, 'DisruptionTarget');
  const known = it.cluster.node?.conditions.find(({ type }) => type === 'Ready');
  const isByTaint = target?.reason === 'DeletionByTaintManager';
  const isStale =
    ready?.status === 'False' &&
    (ready.reason ?? '') === '' &&
    it.containers.some(({ role }) => role === 'main') &&
    it.containers.every(({ role, status }) => role !== 'main' || status?.ready === true);
  const isDown = known !== undefined ? known.status !== 'True' : it.cluster.node?.exists === false;
  const isLostByReason = it.pod.status?.reason === 'NodeLost' || it.pod.status?.phase === 'Unknown';
  if (!isDown && !isLostByReason && !(event && ready?.status !== 'True') && !isStale && !(isByTaint && isRunning(it)))
    return undefined;
  if (known?.status === 'True') return undefined;
  return {
    since: event?.first ?? instantOf(ready?.lastTransitionTime),
    facts: [
      ...factsOf(
        [pathOfCondition('Ready'), ready ? `${ready.status} ${ready.reason ?? ''}`.trim() : undefined],
        [target ? `${pathOfCondition('DisruptionTarget')}.reason` : '', target?.reason],
        [
          'node.status.conditions[Ready]',
          known ? `${known.status} ${known.reason ?? ''} ${known.message ?? ''}`.trim() : undefined,
        ],
      ),
      ...eventFact(event),
    ],
  };
}

const isRunning = ({ containers }: PodCase): boolean =>
  containers.some(({ runningSince }) => runningSince !== undefined);

/** Diagnoses a pod that is being deleted. */
export const deletionFindings: Matcher = (it) => {
  const { metadata } = it.pod;
  const deadline = instantOf(metadata.deletionTimestamp);
  if (deadline === undefined) return [];
  const grace = metadata.deletionGracePeriodSeconds ?? 30;
  const asked = addMilliseconds(deadline, -grace * 1_000);
  const target = conditionOf(it, 'DisruptionTarget');
  const facts = factsOf(
    ['metadata.deletionTimestamp', metadata.deletionTimestamp],
    ['metadata.deletionGracePeriodSeconds', grace],
  );
  const base = { reason: 'Terminating', facts } as const;
  const lost = lostNode(it);
  const running = it.containers
    .filter(({ runningSince }) => runningSince !== undefined)
    .map(({ name }) => name)
    .join(', ');
  const values = {
    node: it.node,
    owner: it.owner.label,
    grace: roughly(grace * 1_000),
    finalizers: (metadata.finalizers ?? []).join(', '),
    running,
  };
  if (lost && running !== '') {
    const isStateful = it.owner.kind === 'StatefulSet';
    return [
      {
        ...base,
        severity: 'error',
        origin: 'node',
        title: textOf('lostTitle', values),
        cause: [textOf('lostDeleting', values), textOf('lostStale', values)],
        facts: [...facts, ...lost.facts],
        outlook: [textOf('lostOutlook', values), isStateful ? textOf('lostStateful', values) : replacement(it)],
        next: [
          { why: textOf('lostLook', values), command: `kubectl get node ${it.node} -o wide` },
          describeNode(it),
          {
            why: textOf('lostOff', values),
            command: `kubectl taint nodes ${it.node} node.kubernetes.io/out-of-service=nodeshutdown:NoExecute`,
          },
          { why: textOf('lostGone', values), command: `kubectl delete node ${it.node}` },
        ],
      },
    ];
  }
  const kill = newest(it.events, ['FailedKillPod', 'FailedPreStopHook', 'KillContainerError']);
  const unmount = newest(it.events, ['FailedUnmount', 'FailedUnMount']);
  if (kill && kill.reason !== 'FailedPreStopHook')
    return [
      {
        ...base,
        severity: 'error',
        origin: 'runtime',
        title: textOf('killTitle', values),
        cause: [textOf('kill', { ...values, times: kill.count }), textOf('killWhy', values)],
        said: kill.message,
        facts: [...facts, ...eventFact(kill)],
        outlook: [textOf('killOutlook', values)],
        next: [
          {
            why: textOf('killProcess', values),
            command: onNode(it, "ps -eo pid,stat,wchan:32,args | awk '$2 ~ /^D/'"),
          },
          {
            why: textOf('killRuntime', values),
            command: onNode(
              it,
              `${runtimeTool(it)} ` +
                `ps${runtimeTool(it) === 'crictl' ? ` --pod $(crictl pods --name ${it.name} -q)` : ''}`,
            ),
          },
          {
            why: textOf('killRestart', values),
            command: onNode(it, `systemctl restart ${runtimeTool(it) === 'docker' ? 'docker' : 'containerd'}`),
          },
        ],
      },
    ];
  if (running === '' && (metadata.finalizers ?? []).length > 0) {
    const name = metadata.finalizers?.[0] ?? '';
    const group = name.split('/')[0] ?? name;
    const word = group.split('.').toSorted((a, b) => b.length - a.length)[0] ?? group;
    const isJob = name === 'batch.kubernetes.io/job-tracking';
    return [
      {
        ...base,
        severity: 'error',
        origin: 'controller',
        title: textOf('finalizerTitle', values),
        cause: [textOf(isJob ? 'finalizerJob' : 'finalizer', values)],
        facts: [...factsOf(['metadata.finalizers', values.finalizers]), ...facts],
        outlook: [textOf('finalizerOutlook', values)],
        next: [
          {
            why: textOf('finalizerWho', values),
            command: isJob
              ? 'kubectl -n kube-system get pods | grep controller-manager'
              : `kubectl get pods -A | grep -i ${word}`,
          },
          {
            why: textOf('finalizerRemove', values),
            command: it.kubectl(`patch pod ${it.name} --type=merge -p '{"metadata":{"finalizers":null}}'`),
          },
        ],
      },
    ];
  }
  const reasons: Readonly<
    Record<
      string,
      {
        readonly origin: Finding['origin'];
        readonly id: 'byPreemption' | 'byEviction' | 'byTaint' | 'byGc' | 'byKubelet';
      }
    >
  > = {
    PreemptionByScheduler: { origin: 'scheduler', id: 'byPreemption' },
    PreemptionByKubeScheduler: { origin: 'scheduler', id: 'byPreemption' },
    EvictionByEvictionAPI: { origin: 'controller', id: 'byEviction' },
    DeletionByTaintManager: { origin: 'controller', id: 'byTaint' },
    DeletionByPodGC: { origin: 'controller', id: 'byGc' },
    TerminationByKubelet: { origin: 'node', id: 'byKubelet' },
  };
  const by = target?.status === 'True' ? reasons[target.reason ?? ''] : undefined;
  const isLate = it.now > addMilliseconds(deadline, 60_000);
  const until =
    running === ''
      ? [textOf('deletedSoon', values)]
      : [timed(isLate ? 'deletedLate' : 'deletedAt', { time: deadline }, values)];
  if (by) {
    const commands: Readonly<Record<typeof by.id, readonly NextCommand[]>> = {
      byPreemption: [
        ...it.change('preemptionFix', values),
        { why: textOf('preemptionCapacity'), command: "kubectl describe nodes | grep -A 12 'Allocated resources'" },
      ],
      byEviction: [
        { why: textOf('evictionNode', values), command: `kubectl get node ${it.node}` },
        { why: textOf('evictionBudget', values), command: it.kubectl('get poddisruptionbudgets') },
      ],
      byTaint: [
        { why: textOf('taintLook', values), command: `kubectl get node ${it.node} -o jsonpath='{.spec.taints}'` },
        describeNode(it),
      ],
      byGc: [{ why: textOf('lostLook', values), command: `kubectl get node ${it.node}` }],
      byKubelet: [describeNode(it)],
    };
    return [
      {
        ...base,
        severity: 'waiting',
        origin: by.origin,
        title: textOf(`${by.id}Title`, values),
        cause: [textOf(by.id, values)],
        said: target?.message,
        facts: [
          ...factsOf([pathOfCondition('DisruptionTarget'), `${target?.reason}: ${target?.message ?? ''}`]),
          ...facts,
        ],
        outlook: [...until, ...(by.id === 'byPreemption' ? [textOf('preemptedMayWait', values)] : []), replacement(it)],
        next: commands[by.id],
      },
    ];
  }
  const hooks = it.containers.filter(({ spec, runningSince }) => runningSince !== undefined && spec.lifecycle?.preStop);
  const hook = hooks
    .map(
      ({ spec: { lifecycle: { preStop: { exec, sleep } = {} } = {} }, name }) =>
        `${name}: ${exec?.command?.join(' ') ?? (sleep ? `sleep ${sleep.seconds}` : 'preStop')}`,
    )
    .join('; ');
  const slow = it.containers.find(({ runningSince }) => runningSince !== undefined);
  return [
    {
      ...base,
      severity: isLate ? 'error' : 'waiting',
      origin: isLate ? 'node' : 'program',
      title: textOf(isLate ? 'deletingLateTitle' : 'deletingTitle', values),
      cause: [
        timed('deleting', { asked, time: deadline }, values),
        ...(unmount ? [textOf('deletingUnmount', { said: unmount.message })] : []),
        ...(kill
          ? [textOf('deletingHookFailed', { said: kill.message })]
          : hook
            ? [textOf('deletingHook', { hook })]
            : running
              ? [textOf('deletingRunning', values)]
              : []),
        ...(isLate ? [textOf('deletingLate', values)] : []),
      ],
      facts: [
        ...facts,
        ...factsOf(
          ...hooks.map(({ specPath, spec }) => [`${specPath}.lifecycle.preStop`, spec.lifecycle?.preStop] as const),
        ),
        ...eventFact(kill ?? unmount),
      ],
      outlook: [...until, replacement(it)],
      next: isLate
        ? [
            { why: textOf('lostLook', values), command: `kubectl get node ${it.node} -o wide` },
            { why: textOf('deletingKubelet', values), command: onNode(it, 'journalctl -u kubelet -n 100 --no-pager') },
          ]
        : [
            { why: textOf('deletingWait', values), command: it.kubectl(`get pod ${it.name} -w`) },
            ...(slow
              ? [
                  {
                    why: textOf('lookLogs', { container: slow.name }),
                    command: it.kubectl(`logs ${it.name} -c ${slow.name} --tail=50`),
                  },
                ]
              : []),
            ...(grace > 120 ? it.change('deletingGrace', values) : []),
          ],
    },
  ];
};

/** Reasons with which a kubelet refuses a pod. Upstream: lifecycle.PodAdmitHandler implementations. */
const refusals: Readonly<
  Record<
    string,
    | 'refuseAffinity'
    | 'refuseSysctl'
    | 'refuseOs'
    | 'refuseAppArmor'
    | 'refuseTaint'
    | 'refusePorts'
    | 'refuseAdmission'
    | 'refuseTopology'
  >
> = {
  NodeAffinity: 'refuseAffinity',
  MatchNodeSelector: 'refuseAffinity',
  SysctlForbidden: 'refuseSysctl',
  PodOSNotSupported: 'refuseOs',
  PodOSSelectorNodeLabelDoesNotMatch: 'refuseOs',
  AppArmor: 'refuseAppArmor',
  Taint: 'refuseTaint',
  HostPortConflict: 'refusePorts',
  NodePorts: 'refusePorts',
  UnexpectedAdmissionError: 'refuseAdmission',
  InvalidNodeInfo: 'refuseAdmission',
  TopologyAffinityError: 'refuseTopology',
  ResourceAllocationFailure: 'refuseTopology',
};

const cpuText = (milli: number): string => (milli % 1_000 === 0 ? String(milli / 1_000) : `${milli}m`);

/** Formats the amount of a kubelet's message: CPUs in milli units, others in bytes. */
const amountText = (resource: string, amount: number): string =>
  resource === 'cpu' ? cpuText(amount) : resource === 'memory' ? `${Math.round(amount / 1024 ** 2)}Mi` : String(amount);

/** Parses an amount into the units of a kubelet's message. */
const unitsOf = (resource: string, text: string): number => {
  const nanos = quantityNanos(text) ?? 0n;
  return Number(resource === 'cpu' ? nanos / 1_000_000n : nanos / 1_000_000_000n);
};

/** Rounds an amount down to what people write: whole CPUs, whole mebibytes. */
const fitting = (resource: string, amount: number): string =>
  resource === 'cpu' && amount >= 1_000 ? String(Math.floor(amount / 1_000)) : amountText(resource, Math.floor(amount));

const nodeResources =
  /(?:Node )?didn't have enough (?:resource|capacity): (?<resource>\S+?), requested: (?<requested>\d+)(?:, used: (?<used>\d+))?, capacity: (?<capacity>\d+)/;

/** Diagnoses a pod that its kubelet did not admit. */
export const refusalFindings: Matcher = (it) => {
  const { phase, reason = '', message = '' } = it.pod.status ?? {};
  if (phase !== 'Failed') return [];
  const resources = nodeResources.exec(message)?.groups;
  const known = reason.startsWith('OutOf') ? 'refuseResources' : refusals[reason];
  if (known === undefined) return [];
  const resource = resources?.['resource'] ?? reason.replace(/^OutOf/, '');
  const amount = (name: string): string => amountText(resource, Number(resources?.[name] ?? 0));
  const sysctl =
    /sysctl: "([^"]+)"/.exec(message)?.[1] ??
    (it.pod.spec.securityContext?.sysctls ?? []).map(({ name }) => name).join(', ');
  const values = {
    node: it.node,
    resource,
    requested: amount('requested'),
    used: amount('used'),
    capacity: amount('capacity'),
    owner: it.owner.label,
    message,
    sysctl,
  };
  const repeats = known === 'refuseSysctl' || known === 'refuseOs' || known === 'refuseAppArmor';
  const remove: NextCommand = { why: textOf('refuseDelete', values), command: it.kubectl(`delete pod ${it.name}`) };
  const next: readonly NextCommand[] = repeats
    ? [
        ...it.change(
          known === 'refuseSysctl' ? 'refuseSysctlFix' : known === 'refuseOs' ? 'refuseOsFix' : 'refuseAppArmorFix',
          values,
        ),
      ]
    : known === 'refuseAffinity'
      ? [
          { why: textOf('refuseLabels', values), command: `kubectl get node ${it.node} --show-labels` },
          ...(it.owner.replaces ? [remove] : it.change('schedSelector')),
        ]
      : [describeNode(it), ...(it.owner.replaces ? [remove] : it.change('refuseAlone', values))];
  return [
    {
      reason,
      severity: 'error',
      origin: 'kubelet',
      title: textOf('refuseTitle', values),
      cause: [
        textOf(known === 'refuseResources' && !resources ? 'refuseShort' : known, values),
        ...(it.pod.spec.schedulerName === undefined || repeats
          ? []
          : [textOf('refuseRace', values)].slice(known === 'refuseResources' ? 0 : 1)),
      ],
      said: message,
      facts: factsOf(
        ['status.reason', reason],
        ['status.message', message],
        ['spec.securityContext.sysctls', it.pod.spec.securityContext?.sysctls],
      ),
      outlook: [...failedOutlook(it), ...(repeats && it.owner.replaces ? [textOf('refuseEach')] : [])],
      next,
    },
  ];
};

/** Diagnoses a pod that was evicted, preempted or ended with its node. */
export const evictionFindings: Matcher = (it) => {
  const { phase, reason = '', message = '' } = it.pod.status ?? {};
  const target = conditionOf(it, 'DisruptionTarget');
  const isTarget = target?.status === 'True';
  if (
    phase !== 'Failed' ||
    (!isTarget &&
      !['Evicted', 'Preempting', 'Terminated', 'NodeShutdown', 'Shutdown', 'NodeLost', 'Preempted'].includes(reason))
  )
    return [];
  const said = message || (target?.message ?? '');
  const ended = it.containers.flatMap((container) => (container.ended ? [container.ended] : []));
  const start = instantOf(it.pod.status?.startTime) ?? instantOf(it.pod.metadata.creationTimestamp);
  const end =
    instantOf(target?.lastTransitionTime) ?? newest(it.events, ['Evicted'])?.last ?? instantOf(ended[0]?.finishedAt);
  const ran = start !== undefined && end !== undefined && end > start ? roughly(end - start) : '';
  const facts = factsOf(
    ['status.reason', reason],
    ['status.message', message],
    [target ? `${pathOfCondition('DisruptionTarget')}.reason` : '', target?.reason],
  );
  const base = { reason: reason || (target?.reason ?? 'Failed'), severity: 'error', said } as const;
  const values = { node: it.node, owner: it.owner.label, ran };
  const remove: NextCommand = { why: textOf('evictDelete', values), command: it.kubectl(`delete pod ${it.name}`) };
  const again = it.owner.replaces ? [textOf(ran ? 'evictAgainAfter' : 'evictAgain', values)] : [];
  const volume = /Usage of EmptyDir volume "(?<name>[^"]+)" exceeds the limit "(?<limit>[^"]+)"/.exec(said)?.groups;
  if (volume) {
    const { name = '', limit = '' } = volume;
    const index = (it.pod.spec.volumes ?? []).findIndex((each) => each.name === name);
    const bytes = bytesOf(limit);
    const all = {
      ...values,
      volume: name,
      limit,
      raised: bytes === undefined ? '' : moreThan(bytes),
      medium: it.pod.spec.volumes?.[index]?.emptyDir?.medium ?? '',
    };
    return [
      {
        ...base,
        origin: 'program',
        title: textOf('evictVolumeTitle', all),
        cause: [textOf('evictVolume', all), textOf('evictNotNode', all)],
        facts: [...facts, ...factsOf([`spec.volumes[${index}].emptyDir.sizeLimit`, limit])],
        outlook: [...failedOutlook(it), ...again],
        next: [
          ...it.change('evictVolumeFix', all),
          ...(it.owner.replaces
            ? [
                {
                  why: textOf('evictVolumeLook', all),
                  command: it.kubectl(
                    `exec ${it.owner.ref} -- du -sh ` +
                      (it.containers.flatMap(({ spec }) => spec.volumeMounts ?? []).find((mount) => mount.name === name)
                        ?.mountPath ?? '/'),
                  ),
                },
              ]
            : []),
        ],
      },
    ];
  }
  const storage =
    /Container (?<container>\S+) exceeded its local ephemeral storage limit "(?<limit>[^"]+)"|ephemeral local storage usage exceeds the total limit of containers (?<total>\S+?)\.?\s*$/.exec(
      said,
    )?.groups;
  if (storage) {
    const limit = storage['limit'] ?? storage['total'] ?? '';
    const bytes = bytesOf(limit);
    const name =
      storage['container'] ??
      it.containers.find(({ spec }) => spec.resources?.limits?.['ephemeral-storage'])?.name ??
      '';
    const all = { ...values, container: name, limit, raised: bytes === undefined ? '' : moreThan(bytes) };
    return [
      {
        ...base,
        origin: 'program',
        title: textOf('evictStorageTitle', all),
        cause: [textOf('evictStorage', all), textOf('evictNotNode', all)],
        facts: [
          ...facts,
          ...factsOf(
            ...it.containers.map(
              ({ specPath, spec }) =>
                [
                  `${specPath}.resources.limits.ephemeral-storage`,
                  spec.resources?.limits?.['ephemeral-storage'],
                ] as const,
            ),
          ),
        ],
        outlook: [...failedOutlook(it), ...again],
        next: [
          ...it.change('evictStorageFix', all),
          ...it.set(
            'evictStorageRaise',
            all,
            (ref) =>
              `resources ${ref} -c=${name} --limits=ephemeral-storage=${all.raised} ` +
              `--requests=ephemeral-storage=${all.raised}`,
          ),
        ],
      },
    ];
  }
  const low = /low on resource: (?<resource>[\w-]+)|node had condition: \[(?<condition>\w+)\]/.exec(said)?.groups;
  if (low) {
    const resource =
      low['resource'] ??
      { MemoryPressure: 'memory', DiskPressure: 'ephemeral-storage', PIDPressure: 'pids' }[low['condition'] ?? ''] ??
      low['condition'] ??
      '';
    const usage = [...said.matchAll(/Container (\S+) was using (\S+?), request is (\S+?)(?:,|\.| )/g)].map(
      ([, name = '', used = '', request = '']) => ({ name, used, request }),
    );
    const top = usage.toSorted((a, b) => Number((bytesOf(b.used) ?? 0n) - (bytesOf(a.used) ?? 0n)))[0];
    const all = { ...values, resource, container: top?.name ?? '', used: top?.used ?? '', request: top?.request ?? '' };
    const isDisk = resource !== 'memory' && resource !== 'pids';
    const isRefused = low['condition'] !== undefined;
    const kind = isDisk ? 'Disk' : resource === 'memory' ? 'Memory' : 'Pids';
    const need = top === undefined ? undefined : bytesOf(top.used);
    const rounded = need === undefined ? '' : `${Math.ceil(Number(need) / 1024 ** 2)}Mi`;
    return [
      {
        ...base,
        origin: 'node',
        title: textOf(`evict${kind}Title`, all),
        cause: [
          textOf(isRefused ? 'evictCondition' : `evict${kind}`, all),
          ...(top ? [textOf('evictUsage', all)] : []),
        ],
        facts: [
          ...facts,
          ...factsOf(...it.containers.map(({ specPath, spec }) => [`${specPath}.resources`, spec.resources] as const)),
        ],
        outlook: [...failedOutlook(it), ...(it.owner.replaces ? [textOf('evictNodeAgain', all)] : [])],
        next: [
          ...(top && resource === 'memory' && rounded !== ''
            ? it.set('evictRequest', all, (ref) => `resources ${ref} -c=${top.name} --requests=memory=${rounded}`)
            : []),
          { why: textOf('evictNode', all), command: `kubectl describe node ${it.node}` },
          ...(isDisk
            ? [
                {
                  why: textOf('nodeDf', all),
                  command: onNode(it, 'df -h /var/lib/kubelet /var/lib/containerd /var/log'),
                },
              ]
            : []),
          ...(top && resource !== 'memory' ? it.change('evictStorageFix', all) : []),
          remove,
        ],
      },
    ];
  }
  if (/shutdown|shutting down/i.test(said) || reason === 'NodeShutdown' || reason === 'Shutdown')
    return [
      {
        ...base,
        origin: 'node',
        title: textOf('shutdownTitle', values),
        cause: [textOf('shutdown', values)],
        facts,
        outlook: failedOutlook(it),
        next: [{ why: textOf('shutdownNode', values), command: `kubectl get node ${it.node} -o wide` }, remove],
      },
    ];
  const isPreempted =
    reason === 'Preempting' ||
    reason === 'Preempted' ||
    target?.reason === 'PreemptionByScheduler' ||
    /preempt/i.test(said);
  const isTaint = target?.reason === 'DeletionByTaintManager';
  return [
    {
      ...base,
      origin: isPreempted ? 'scheduler' : 'node',
      title: textOf(isPreempted ? 'byPreemptionTitle' : isTaint ? 'byTaintTitle' : 'evictTitle', values),
      cause: [
        textOf(
          isPreempted
            ? reason === 'Preempting'
              ? 'byCritical'
              : 'byPreemption'
            : isTaint
              ? 'byTaint'
              : target?.reason === 'EvictionByEvictionAPI'
                ? 'byEviction'
                : 'evictOther',
          { ...values, message: said },
        ),
      ],
      facts,
      outlook: failedOutlook(it),
      next: [...(isPreempted ? it.change('preemptionFix', values) : [describeNode(it)]), remove],
    },
  ];
};

/** Diagnoses a pod that ran longer than it may. */
export const deadlineFindings: Matcher = (it) => {
  if (it.pod.status?.reason !== 'DeadlineExceeded') return [];
  const seconds = it.pod.spec.activeDeadlineSeconds ?? 0;
  const start = instantOf(it.pod.status.startTime);
  const values = { seconds, owner: it.owner.label, ran: roughly(seconds * 1_000) };
  const container = it.containers.find(({ role }) => role === 'main');
  return [
    {
      reason: 'DeadlineExceeded',
      severity: 'error',
      origin: 'configuration',
      title: textOf('deadlineOverTitle', values),
      cause: [
        textOf('deadlineOver', values),
        ...(start === undefined
          ? []
          : [timed('deadlineTimes', { start, end: addMilliseconds(start, seconds * 1_000) })]),
      ],
      said: it.pod.status.message,
      facts: factsOf(
        ['status.reason', it.pod.status.reason],
        ['spec.activeDeadlineSeconds', seconds],
        ['status.startTime', it.pod.status.startTime],
      ),
      outlook: failedOutlook(it),
      next: [
        ...(container
          ? [{ why: textOf('deadlineLogs', { container: container.name }), command: logsCommand(it, container) }]
          : []),
        ...it.change('deadlineFix', values),
      ],
    },
  ];
};

/** Diagnoses a running pod whose node does not answer. */
export const nodeFindings: Matcher = (it) => {
  if (
    it.node === '' ||
    it.pod.metadata.deletionTimestamp !== undefined ||
    it.pod.status?.phase === 'Succeeded' ||
    it.pod.status?.phase === 'Failed'
  )
    return [];
  const lost = lostNode(it);
  if (!lost) return [];
  const toleration = it.pod.spec.tolerations?.find(
    ({ key, operator, effect, tolerationSeconds }) =>
      (key === 'node.kubernetes.io/unreachable' || (key === undefined && operator === 'Exists')) &&
      (effect === undefined || effect === 'NoExecute') &&
      tolerationSeconds === undefined,
  );
  const seconds =
    it.pod.spec.tolerations?.find(({ key }) => key === 'node.kubernetes.io/unreachable')?.tolerationSeconds ?? 300;
  const values = { node: it.node, owner: it.owner.label, seconds };
  const isForever = toleration !== undefined;
  const isGone = it.cluster.node?.exists === false;
  return [
    {
      reason: 'NodeNotReady',
      severity: 'error',
      origin: 'node',
      title: textOf('lostTitle', values),
      cause: [textOf(isGone ? 'lostNodeGone' : 'lostNode', values), textOf('lostStale', values)],
      facts: lost.facts,
      outlook: [
        isForever
          ? textOf('lostStays', values)
          : lost.since === undefined
            ? textOf('lostEvicted', values)
            : timed('lostEvictedAt', { time: addMilliseconds(lost.since, seconds * 1_000) }, values),
        textOf('lostBack', values),
      ],
      next: [
        describeNode(it),
        { why: textOf('lostKubelet', values), command: `ssh ${it.node} sudo journalctl -u kubelet -n 100 --no-pager` },
      ],
    },
  ];
};

/** Diagnoses an in-place resize that is not done. */
export const resizeFindings: Matcher = (it) => {
  const pending = conditionOf(it, 'PodResizePending');
  const progress = conditionOf(it, 'PodResizeInProgress');
  const old = it.pod.status?.resize ?? '';
  const reason =
    pending?.status === 'True' ? (pending.reason ?? '') : old === 'Infeasible' || old === 'Deferred' ? old : '';
  const facts: FieldFact[] = [];
  const changes = it.containers.flatMap(({ name, spec, status, specPath, statusPath }) =>
    (['cpu', 'memory'] as const).flatMap((resource) => {
      const wanted = spec.resources?.requests?.[resource] ?? spec.resources?.limits?.[resource];
      const has = status?.allocatedResources?.[resource] ?? status?.resources?.requests?.[resource];
      if (wanted === undefined || has === undefined || String(wanted) === String(has)) return [];
      facts.push(
        { path: `${specPath}.resources.requests.${resource}`, value: String(wanted) },
        { path: `${statusPath}.allocatedResources.${resource}`, value: String(has) },
      );
      return [{ name, resource, wanted: String(wanted), has: String(has) }];
    }),
  );
  const message = pending?.message ?? progress?.message ?? '';
  const found = nodeResources.exec(message)?.groups;
  const resource = found?.['resource'] ?? changes[0]?.resource ?? '';
  const amount = (name: string): string =>
    found?.[name] === undefined ? '' : amountText(resource, Number(found[name]));
  const change = changes.find((each) => each.resource === resource) ?? changes[0];
  const free =
    found?.['used'] === undefined
      ? ''
      : amountText(resource, Math.max(0, Number(found['capacity']) - Number(found['used'])));
  const values = {
    node: it.node,
    resource,
    container: change?.name ?? '',
    wanted: change?.wanted ?? amount('requested'),
    has: change?.has ?? '',
    capacity: amount('capacity'),
    used: amount('used'),
    requested: amount('requested'),
    free,
    message,
    owner: it.owner.label,
  };
  const base = {
    facts: [
      ...factsOf([
        pathOfCondition(pending?.status === 'True' ? 'PodResizePending' : 'PodResizeInProgress'),
        `${reason || (progress?.reason ?? '')}: ${message}`,
      ]),
      ...facts,
    ],
    said: message || undefined,
  } as const;
  const patch = (target: string): string =>
    it.kubectl(
      `patch pod ${it.name} --subresource=resize -p ` +
        `'{"spec":{"containers":[{"name":"${values.container}","resources":{"requests":{"${resource}":"` +
        `${target}"}}}]}}'`,
    );
  if (reason === 'Infeasible')
    return [
      {
        ...base,
        reason: 'PodResizePending',
        severity: 'error',
        origin: 'kubelet',
        title: textOf('resizeNoTitle', values),
        cause: [textOf(found ? 'resizeNo' : 'resizeNoWhy', values), textOf('resizeKeeps', values)],
        outlook: [textOf('resizeNoOutlook', values)],
        next: [
          ...(found
            ? [{ why: textOf('resizeFit', values), command: patch(fitting(resource, Number(found['capacity']))) }]
            : []),
          ...it.change('resizeMove', values),
        ],
      },
    ];
  if (reason === 'Deferred')
    return [
      {
        ...base,
        reason: 'PodResizePending',
        severity: 'waiting',
        origin: 'kubelet',
        title: textOf('resizeLaterTitle', values),
        cause: [textOf(found ? 'resizeLater' : 'resizeLaterWhy', values), textOf('resizeKeeps', values)],
        outlook: [textOf('resizeLaterOutlook', values)],
        next: [
          { why: textOf('resizeRoom', values), command: `kubectl describe node ${it.node}` },
          ...(free
            ? [
                {
                  why: textOf('resizeSmaller', values),
                  command: patch(
                    fitting(
                      resource,
                      Number(found?.['capacity']) - Number(found?.['used']) + unitsOf(resource, values.has),
                    ),
                  ),
                },
              ]
            : []),
        ],
      },
    ];
  if (progress?.status === 'True' && progress.reason === 'Error')
    return [
      {
        ...base,
        reason: 'PodResizeInProgress',
        severity: 'error',
        origin: 'kubelet',
        title: textOf('resizeErrorTitle', values),
        cause: [textOf(/memory limit|below|usage/i.test(message) ? 'resizeMemory' : 'resizeError', values)],
        outlook: [textOf('resizeErrorOutlook', values)],
        next: [
          { why: textOf('oomTop', values), command: it.kubectl(`top pod ${it.name} --containers`) },
          ...it.change('resizeMove', values),
        ],
      },
    ];
  if (progress?.status === 'True' || old === 'InProgress' || old === 'Proposed')
    return [
      {
        ...base,
        reason: 'PodResizeInProgress',
        severity: 'waiting',
        origin: 'kubelet',
        title: textOf('resizeNowTitle', values),
        cause: [textOf('resizeNow', values)],
        outlook: [textOf('resizeNowOutlook', values)],
        next: [{ why: textOf('deletingWait'), command: it.kubectl(`get pod ${it.name} -w`) }],
      },
    ];
  return [];
};

interface SandboxCause {
  readonly cause: readonly ExplainText[];
  readonly next: readonly NextCommand[];
  readonly origin: Finding['origin'];
}

const onThatNode = (it: PodCase, pattern: string): string =>
  `kubectl get pods -A -o wide --field-selector spec.nodeName=${it.node} | grep -iE '${pattern}'`;

const sandboxCauses: readonly (readonly [RegExp, (it: PodCase, found: RegExpExecArray) => SandboxCause])[] = [
  [
    /failed to assign an IP address|no (?:more )?(?:free |available )?(?:IPs?|IP addresses)(?: addresses)? (?:available|in)|range is full|IPAM|no available IP|address space exhausted|failed to allocate for range/i,
    (it, { input }) => {
      const plugin = /type="([^"]+)"|plugin "?([\w-]*cni[\w-]*)"?/.exec(input)?.slice(1).find(Boolean) ?? 'CNI';
      const values = { node: it.node, plugin };
      return {
        cause: [textOf('sandboxNoIp', values)],
        next: [
          {
            why: textOf('sandboxPods', values),
            command: `kubectl get pods -A --field-selector spec.nodeName=${it.node} --no-headers | wc -l`,
          },
          {
            why: textOf('sandboxIpam', values),
            command: /aws/.test(plugin)
              ? 'kubectl -n kube-system logs -l k8s-app=aws-node -c aws-node --tail=100 # subnet and ENI limits ' +
                `of ${it.node}`
              : `kubectl get node ${it.node} -o jsonpath='{.spec.podCIDR}' # the address pool`,
          },
        ],
        origin: 'network',
      };
    },
  ],
  [
    /cni (?:plugin not initialized|config uninitialized)|no networks found in|NetworkPluginNotReady|network (?:plugin )?is not ready/i,
    (it) => ({
      cause: [textOf('sandboxNoCni', { node: it.node })],
      next: [
        {
          why: textOf('sandboxCniPod', { node: it.node }),
          command: onThatNode(it, 'cni|calico|cilium|flannel|weave|aws-node|ovn|kindnet|antrea'),
        },
        { why: textOf('sandboxCniConf', { node: it.node }), command: onNode(it, 'ls -l /etc/cni/net.d') },
      ],
      origin: 'network',
    }),
  ],
  [
    /no runtime for "(?<handler>[^"]+)" is configured|failed to find runtime handler (?<other>\S+)|unknown runtime(?: handler)? "?(?<third>[\w-]+)/i,
    (it, { groups }) => {
      const values = {
        node: it.node,
        handler: groups?.['handler'] ?? groups?.['other'] ?? groups?.['third'] ?? '',
        runtimeClass: it.pod.spec.runtimeClassName ?? '',
      };
      return {
        cause: [textOf('sandboxHandler', values)],
        next: [
          { why: textOf('sandboxClass', values), command: `kubectl get runtimeclass ${values.runtimeClass} -o yaml` },
          {
            why: textOf('sandboxHandlerConf', values),
            command: onNode(it, 'grep -rn runtimes /etc/containerd/config.toml /etc/crio'),
          },
          ...it.change('sandboxClassFix', values),
        ],
        origin: 'node',
      };
    },
  ],
  [
    /RuntimeClass(?:\.node\.k8s\.io)? "(?<name>[^"]+)" not found/,
    (it, { groups }) => ({
      cause: [textOf('sandboxNoClass', { runtimeClass: groups?.['name'] ?? '' })],
      next: [
        { why: textOf('sandboxClasses'), command: 'kubectl get runtimeclass' },
        ...it.change('sandboxClassFix', { runtimeClass: groups?.['name'] ?? '' }),
      ],
      origin: 'configuration',
    }),
  ],
  [
    /failed to (?:pull|get) (?:sandbox )?image "?(?<image>[^"\s:]+(?::[\w.-]+)?)/i,
    (it, { groups }) => ({
      cause: [textOf('sandboxPause', { node: it.node, image: groups?.['image'] ?? 'pause' })],
      next: [
        {
          why: textOf('sandboxPauseTry', { node: it.node }),
          command: onNode(it, `crictl pull ${groups?.['image'] ?? 'registry.k8s.io/pause:3.10'}`),
        },
      ],
      origin: 'node',
    }),
  ],
  [
    /no space left on device/i,
    (it) => ({
      cause: [textOf('sandboxSpace', { node: it.node })],
      next: [
        {
          why: textOf('nodeDf', { node: it.node }),
          command: onNode(it, 'df -h /run /var/lib/containerd /var/lib/kubelet'),
        },
      ],
      origin: 'node',
    }),
  ],
  [
    /name "?\S+"? is reserved|already exists|name is already in use/i,
    (it) => ({
      cause: [textOf('sandboxReserved', { node: it.node })],
      next: [
        {
          why: textOf('killRuntime', { node: it.node }),
          command: onNode(
            it,
            `${runtimeTool(it)} ${runtimeTool(it) === 'crictl' ? `pods --name ${it.name}` : 'ps -a'}`,
          ),
        },
      ],
      origin: 'runtime',
    }),
  ],
  [
    /cgroup|systemd|dbus/i,
    (it) => ({
      cause: [textOf('sandboxCgroup', { node: it.node })],
      next: [
        {
          why: textOf('deletingKubelet', { node: it.node }),
          command: onNode(it, 'journalctl -u kubelet -u containerd -u crio -n 100 --no-pager'),
        },
      ],
      origin: 'node',
    }),
  ],
  [
    /plugin type="?(?<plugin>[\w-]+)|failed to (?:setup|set up) (?:pod )?network|networkPlugin (?<old>\S+) failed|Kube-?OVN|calico|cilium|flannel|multus/i,
    (it, { groups, input }) => {
      const plugin =
        groups?.['plugin'] ?? groups?.['old'] ?? /calico|cilium|flannel|multus|weave/i.exec(input)?.[0] ?? 'CNI';
      const denied = /unauthorized|forbidden/i.test(input);
      const subnet = /subnet\.env: no such file/.test(input);
      const refused = /connection refused|no such file or directory|unable to connect to/.test(input);
      const values = { node: it.node, plugin };
      return {
        cause: [textOf(denied ? 'sandboxCniDenied' : subnet || refused ? 'sandboxCniAgent' : 'sandboxCni', values)],
        next: [
          { why: textOf('sandboxCniPod', values), command: onThatNode(it, `${plugin}|cni`) },
          { why: textOf('sandboxCniConf', values), command: onNode(it, 'ls -l /etc/cni/net.d /opt/cni/bin') },
        ],
        origin: 'network',
      };
    },
  ],
];

/** Diagnoses a sandbox that cannot be created. */
export const sandboxFindings: Matcher = (it) => {
  if (it.node === '' || it.pod.metadata.deletionTimestamp !== undefined) return [];
  if (it.containers.some(({ runningSince, ended }) => runningSince !== undefined || ended !== undefined)) return [];
  const event = newest(it.events, [
    'FailedCreatePodSandBox',
    'NetworkNotReady',
    'FailedCreatePodContainer',
    'FailedStatusPodSandBox',
  ]);
  if (!event) return [];
  const { message } = event;
  let found: SandboxCause | undefined;
  for (const [pattern, explain] of sandboxCauses) {
    const match = pattern.exec(message);
    if (match) {
      found = explain(it, match);
      break;
    }
  }
  const isTimeout = /DeadlineExceeded|context deadline exceeded|timed out/.test(message);
  found ??= {
    cause: [textOf(isTimeout ? 'sandboxTimeout' : 'sandboxOther', { node: it.node })],
    next: [
      {
        why: textOf('deletingKubelet', { node: it.node }),
        command: onNode(it, 'journalctl -u kubelet -u containerd -u crio -n 100 --no-pager'),
      },
      { why: textOf('nodeDescribe', { node: it.node }), command: `kubectl describe node ${it.node}` },
    ],
    origin: 'runtime',
  };
  return [
    {
      reason: event.reason,
      severity: 'error',
      origin: found.origin,
      title: textOf(event.reason === 'NetworkNotReady' ? 'sandboxNetworkTitle' : 'sandboxFailTitle', { node: it.node }),
      cause: found.cause,
      said: message,
      facts: [...eventFact(event), ...factsOf(['spec.runtimeClassName', it.pod.spec.runtimeClassName])],
      outlook: [textOf('sandboxOutlook', { node: it.node })],
      next: found.next,
    },
  ];
};

/** Diagnoses a pod that waits only for its readiness gates. */
export const gateFindings: Matcher = (it) => {
  const ready = conditionOf(it, 'Ready');
  const gates = it.pod.spec.readinessGates ?? [];
  const open = gates
    .filter(({ conditionType }) => conditionOf(it, conditionType)?.status !== 'True')
    .map(({ conditionType }) => conditionType);
  if (
    open.length === 0 ||
    ready?.status === 'True' ||
    conditionOf(it, 'ContainersReady')?.status !== 'True' ||
    it.pod.metadata.deletionTimestamp !== undefined
  )
    return [];
  const names = open.join(', ');
  const aws = /elbv2\.k8s\.aws/.test(names);
  const gcp = /cloud\.google\.com/.test(names);
  const values = {
    names,
    by: aws ? 'AWS Load Balancer Controller' : gcp ? 'GKE NEG controller' : (open[0]?.split('/')[0] ?? ''),
  };
  return [
    {
      reason: 'ReadinessGatesNotReady',
      severity: 'waiting',
      origin: 'controller',
      title: textOf('gatesTitle', values),
      cause: [textOf(aws || gcp ? 'gatesLoadBalancer' : 'gatesCause', values)],
      said: ready?.message,
      facts: factsOf(['spec.readinessGates', names], [pathOfCondition('Ready'), ready?.reason]),
      outlook: [textOf('gatesOutlook', values)],
      next: aws
        ? [
            { why: textOf('gatesBinding', values), command: it.kubectl('describe targetgroupbindings.elbv2.k8s.aws') },
            {
              why: textOf('gatesController', values),
              command: 'kubectl -n kube-system logs deployment/aws-load-balancer-controller --tail=100',
            },
          ]
        : [
            {
              why: textOf('gatesController', values),
              command:
                'kubectl get pods -A | grep -iE ' +
                `'${gcp ? 'neg|l7-lb' : (values.by.split('.')[0] ?? 'controller')}'`,
            },
          ],
    },
  ];
};

/** Diagnoses containers that wait for others: init containers that take their time, sidecars that outlive their Job. */
export const companionFindings: Matcher = (it) => {
  const { phase } = it.pod.status ?? {};
  if (phase === 'Failed' || phase === 'Succeeded' || it.node === '' || it.pod.metadata.deletionTimestamp !== undefined)
    return [];
  const main = it.containers.filter(({ role }) => role === 'main');
  const init = it.containers.find(({ role, runningSince }) => role === 'init' && runningSince !== undefined);
  if (init) {
    const words = [...(init.spec.command ?? []), ...(init.spec.args ?? [])].join(' ');
    const target =
      /(?:nc -\S*z?\S*|wait-for(?:-it)?(?:\.sh)?|nslookup|pg_isready -h|ping -c\s?\d+|curl [^|;]*?https?:\/\/|wget [^|;]*?https?:\/\/|-wait tcp:\/\/|dig)\s*(?<host>[a-z][\w.-]*)(?:[ :](?<port>\d+))?/i.exec(
        words,
      )?.groups;
    const since = init.runningSince ?? it.now;
    const waited = Math.max(it.now - since, 0);
    const host = target?.['host'] ?? '';
    const values = {
      container: init.name,
      host,
      port: target?.['port'] ?? '',
      target: host && target?.['port'] ? `${host}:${target['port']}` : host,
      command: words,
      waited: roughly(waited),
      waiting: main.map(({ name }) => name).join(', '),
    };
    return [
      {
        reason: 'PodInitializing',
        severity: 'waiting',
        origin: host ? 'network' : 'program',
        ...(host ? {} : { certainty: 'unknown' as const }),
        container: init.name,
        title: textOf('initRunsTitle', values),
        cause: [textOf(host ? 'initWaits' : 'initRuns', values), textOf('sidecarBehind', values)],
        facts: factsOf(
          [`${init.statusPath}.state.running.startedAt`, init.status?.state?.running?.startedAt],
          [`${init.specPath}.command`, words],
        ),
        outlook: [textOf(host ? 'initWaitsOutlook' : 'initRunsOutlook', values)],
        next: [
          {
            why: textOf('lookLogs', { container: init.name }),
            command: it.kubectl(`logs ${it.name} -c ${init.name} --tail=50`),
          },
          ...(host && !/^[\d.]+$/.test(host)
            ? [
                {
                  why: textOf('runEndpoints', { ...values, namespace: host.split('.')[1] ?? it.namespace }),
                  command: `kubectl get svc ${host.split('.')[0]} -n ${host.split('.')[1] ?? it.namespace}`,
                },
                {
                  why: textOf('initEndpoints', values),
                  command:
                    `kubectl get endpointslices -n ${host.split('.')[1] ?? it.namespace} -l ` +
                    `kubernetes.io/service-name=${host.split('.')[0]}`,
                },
              ]
            : []),
        ],
      },
    ];
  }
  const isJob = it.owner.kind === 'Job' || it.owner.kind === 'CronJob' || it.pod.spec.restartPolicy !== 'Always';
  const done = main.filter(
    ({ ended, runningSince }) => runningSince === undefined && ended?.isCurrent && ended.exitCode === 0,
  );
  const left = main.filter(({ runningSince }) => runningSince !== undefined);
  if (isJob && done.length > 0 && left.length > 0 && done.length + left.length === main.length) {
    const proxy = left.find(({ name, spec }) =>
      /istio|envoy|linkerd|proxy|mesh|sidecar|sql|vault|agent|collector|fluent/i.test(`${name} ${spec.image ?? ''}`),
    );
    if (!proxy) return [];
    const isIstio =
      /istio/i.test(`${proxy.name} ${proxy.spec.image ?? ''}`) ||
      it.pod.metadata.annotations?.['sidecar.istio.io/status'] !== undefined;
    const isLinkerd = /linkerd/.test(proxy.name);
    const values = { container: proxy.name, done: done.map(({ name }) => name).join(', '), owner: it.owner.label };
    const quit = isIstio
      ? 'curl -fsS -X POST localhost:15020/quitquitquit'
      : isLinkerd
        ? '/usr/lib/linkerd/linkerd-await --shutdown -- true'
        : '';
    return [
      {
        reason: 'NotReady',
        severity: 'error',
        origin: 'configuration',
        container: proxy.name,
        title: textOf('jobSidecarTitle', values),
        cause: [textOf('jobSidecar', values)],
        facts: factsOf(
          ...done.map(({ statusPath, ended }) => [`${statusPath}.state.terminated.exitCode`, ended?.exitCode] as const),
          [`${proxy.statusPath}.state.running.startedAt`, proxy.status?.state?.running?.startedAt],
        ),
        outlook: [textOf('jobSidecarOutlook', values)],
        next: [
          ...(quit
            ? [
                {
                  why: textOf('jobSidecarQuit', values),
                  command: it.kubectl(
                    `exec ${it.name} -c ${proxy.name} -- ${isIstio ? 'pilot-agent request POST quitquitquit' : quit}`,
                  ),
                },
              ]
            : []),
          ...it.change('jobSidecarFix', values),
        ],
      },
    ];
  }
  return [];
};

/** A pod that waits for its start without a failure. */
export const startingFindings: Matcher = (it) => {
  const { phase } = it.pod.status ?? {};
  if (it.node === '' || (phase !== undefined && phase !== 'Pending') || it.pod.metadata.deletionTimestamp !== undefined)
    return [];
  const waiting = it.containers.filter(
    (container) => container.waiting && ['ContainerCreating', 'PodInitializing', ''].includes(container.waiting.reason),
  );
  if (waiting.length === 0 && it.containers.some(({ status }) => status !== undefined)) return [];
  const pulling = it.events.findLast(({ reason }) => reason === 'Pulling');
  const pulled = it.events.findLast(
    ({ reason, container }) => reason === 'Pulled' && (!pulling?.container || container === pulling.container),
  );
  const isPulling = pulling !== undefined && (pulled === undefined || pulled.last < pulling.last);
  const start =
    instantOf(conditionOf(it, 'PodScheduled')?.lastTransitionTime) ??
    instantOf(it.pod.metadata.creationTimestamp) ??
    it.now;
  const waited = it.now - start;
  const image = /image "([^"]+)"/.exec(pulling?.message ?? '')?.[1] ?? '';
  const values = {
    node: it.node,
    image,
    container: pulling?.container ?? waiting[0]?.name ?? '',
    waited: roughly(waited),
  };
  const isLong = waited > 300_000;
  return [
    {
      reason: waiting[0]?.waiting?.reason || 'ContainerCreating',
      severity: 'waiting',
      origin: isPulling ? 'registry' : 'kubelet',
      ...(isPulling && !isLong ? {} : { certainty: 'unknown' as const }),
      title: textOf(isPulling ? 'startingPullTitle' : 'startingTitle', values),
      cause: [
        textOf(
          isPulling ? (isLong ? 'startingPullLong' : 'startingPull') : isLong ? 'startingLong' : 'starting',
          values,
        ),
      ],
      facts: [
        ...factsOf(
          ...waiting
            .slice(0, 3)
            .map(({ statusPath, waiting: state }) => [`${statusPath}.state.waiting.reason`, state?.reason] as const),
        ),
        ...(isPulling ? eventFact(pulling) : []),
      ],
      outlook: [textOf(isPulling ? 'startingPullOutlook' : 'startingOutlook', values)],
      next: [
        { why: textOf('deletingWait'), command: it.kubectl(`get pod ${it.name} -w`) },
        { why: textOf('lookEvents'), command: it.kubectl(`describe pod ${it.name}`) },
        ...(isLong
          ? [{ why: textOf('deletingKubelet', values), command: onNode(it, 'journalctl -u kubelet -n 100 --no-pager') }]
          : []),
      ],
    },
  ];
};
