/**
 * Diagnoses a pod that ended before its containers did: eviction, preemption, node shutdown and the active deadline.
 */
import { addMilliseconds } from '@podscope/trace';
import { type NextCommand, textOf } from '@podscope/trace/explain';
import { instantOf } from '../../pod-snapshot.ts';
import { bytesOf, more as moreThan } from '../memory-limit.ts';
import { templatePath } from '../owner/owner.ts';
import {
  type ContainerCase,
  conditionOf,
  factsOf,
  failedOutlook,
  isDisrupted,
  logsCommand,
  type Matcher,
  newest,
  type PodCase,
  pathOfCondition,
  roughly,
  timed,
} from '../pod-case.ts';
import { onNode, runtimeTool } from '../runtime.ts';
import { describeNode } from './node-loss.ts';

/** Formats an amount of bytes as people read it: `5.1Gi`. */
function readable(text: string): string {
  const bytes = Number(bytesOf(text) ?? 0n);
  if (bytes >= 1024 ** 3) return `${Math.round((bytes / 1024 ** 3) * 10) / 10}Gi`;
  return bytes >= 1024 ** 2 ? `${Math.round(bytes / 1024 ** 2)}Mi` : text;
}

/** Returns the command that shows the replacement of a disrupted pod. */
function replacement(it: PodCase): NextCommand {
  const labels = it.pod.metadata.labels ?? {};
  const key = ['job-name', 'app.kubernetes.io/name', 'app', 'k8s-app'].find((each) => labels[each] !== undefined);
  return {
    why: textOf('evictReplaced', { owner: it.owner.label }),
    command: it.kubectl(`get pods -o wide${key === undefined ? '' : ` -l ${key}=${labels[key]}`}`),
  };
}

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
          ...(all.raised === ''
            ? []
            : it.patch('evictVolumeRaise', all, { volumes: [{ name, emptyDir: { sizeLimit: all.raised } }] })),
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
      ([, name = '', used = '', request = '']) => ({ name, raw: used, used: readable(used), request }),
    );
    const top = usage.toSorted((a, b) => Number((bytesOf(b.raw) ?? 0n) - (bytesOf(a.raw) ?? 0n)))[0];
    const all = {
      ...values,
      resource,
      container: top?.name ?? '',
      used: top?.used ?? '',
      request: top?.request ?? '',
      condition: low['condition'] ?? '',
    };
    const isDisk = resource !== 'memory' && resource !== 'pids';
    const isRefused = low['condition'] !== undefined;
    const isInodes = /inodes/i.test(resource);
    const kind = isInodes ? 'Inodes' : isDisk ? 'Disk' : resource === 'memory' ? 'Memory' : 'Pids';
    const need = top === undefined ? undefined : bytesOf(top.raw);
    const threshold = Number(bytesOf(/Threshold quantity: (\S+?),/.exec(said)?.[1]) ?? 0n);
    // The kubelet also evicts a pod that uses little, if no larger one exceeds its request.
    const isLittle = isDisk && need !== undefined && Number(need) < Math.max(256 * 1024 ** 2, threshold / 10);
    const rounded = need === undefined ? '' : `${Math.ceil(Number(need) / 1024 ** 2)}Mi`;
    return [
      {
        ...base,
        origin: 'node',
        title: textOf(isRefused ? 'evictRefusedTitle' : `evict${kind}Title`, all),
        cause: [
          textOf(isRefused ? 'evictCondition' : `evict${kind}`, all),
          ...(kind === 'Memory' && !isRefused && top
            ? [
                textOf(
                  it.containers.find(({ name }) => name === top.name)?.spec.resources?.limits?.['memory'] === undefined
                    ? 'evictNoLimit'
                    : 'evictOwnLimit',
                  all,
                ),
              ]
            : []),
          ...(top ? [textOf(isInodes ? 'evictInodesBy' : isLittle ? 'evictLittle' : 'evictUsage', all)] : []),
        ],
        facts: [
          ...facts,
          ...factsOf(...it.containers.map(({ specPath, spec }) => [`${specPath}.resources`, spec.resources] as const)),
        ],
        outlook: [
          ...failedOutlook(it),
          ...(it.owner.kind === 'DaemonSet'
            ? [textOf('evictSameNode', all)]
            : it.owner.replaces
              ? [textOf(isRefused ? 'evictAvoided' : 'evictNodeAgain', all)]
              : []),
        ],
        next: [
          ...(top && resource === 'memory' && rounded !== ''
            ? it.set('evictRequest', all, (ref) => `resources ${ref} -c=${top.name} --requests=memory=${rounded}`)
            : []),
          ...(isInodes ? it.change(top ? 'evictInodesFix' : 'evictInodesFewer', all) : []),
          ...(top && isDisk && !isInodes && !isLittle
            ? [
                ...it.change('evictStorageFix', all),
                ...it.set(
                  'evictDiskRequest',
                  all,
                  (ref) => `resources ${ref} -c=${top.name} --requests=ephemeral-storage=${rounded}`,
                ),
              ]
            : []),
          ...(isDisk && (isLittle || top === undefined)
            ? [
                {
                  why: textOf('evictImages', all),
                  command: onNode(it, runtimeTool(it) === 'crictl' ? 'crictl rmi --prune' : 'docker image prune -a'),
                },
                {
                  why: textOf('evictPodsDisk', all),
                  command: onNode(it, 'sh -c "du -xsh /var/log/pods/* /var/lib/kubelet/pods/* | sort -h | tail -20"'),
                },
              ]
            : []),
          ...(isDisk
            ? [
                {
                  why: textOf(isInodes ? 'evictInodesDf' : 'nodeDf', all),
                  command: onNode(it, `df ${isInodes ? '-i' : '-h'} /var/lib/kubelet /var/lib/containerd /var/log`),
                },
              ]
            : []),
          ...(kind === 'Pids'
            ? [
                {
                  why: textOf('evictPidsTop', all),
                  command: onNode(it, 'sh -c "ps -eo nlwp,pid,args | sort -n | tail"'),
                },
              ]
            : []),
          { why: textOf('evictNode', all), command: `kubectl describe node ${it.node}` },
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
  const isByKubelet = reason === 'Preempting';
  if (target?.reason === 'DeletionByPodGC' && /node no longer exists/i.test(said))
    return [
      {
        ...base,
        origin: 'node',
        title: textOf('nodeGoneTitle', values),
        cause: [textOf('nodeGone', values)],
        facts,
        outlook: failedOutlook(it),
        next: [{ why: textOf('nodeGoneLook', values), command: 'kubectl get nodes' }, remove],
      },
    ];
  return [
    {
      ...base,
      origin: isPreempted && !isByKubelet ? 'scheduler' : 'node',
      title: textOf(
        isByKubelet ? 'byCriticalTitle' : isPreempted ? 'byPreemptionTitle' : isTaint ? 'byTaintTitle' : 'evictTitle',
        values,
      ),
      cause: [
        textOf(
          isPreempted
            ? isByKubelet
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
      next: [
        ...(isDisrupted(it.pod) && it.owner.replaces ? [replacement(it)] : []),
        ...(isPreempted ? it.change('preemptionFix', values) : []),
        ...(isPreempted && !isByKubelet ? [] : [describeNode(it)]),
        remove,
      ],
    },
  ];
};

/**
 * Returns how many percent of its work a program had done according to its last lines; undefined unless at least two
 * lines name a percentage and it grows.
 */
function progressIn(text: string): { readonly percent: number; readonly line: string } | undefined {
  const lines = text.split('\n').flatMap((line) => {
    const percent = /(?<![\d.])(?<percent>\d{1,2}(?:\.\d+)?) ?%/.exec(line)?.groups?.['percent'];
    return percent === undefined ? [] : [{ percent: Number(percent), line: line.trim() }];
  });
  const last = lines.at(-1);
  const isGrowing =
    lines.length > 1 && lines.every(({ percent }, index) => index === 0 || percent > (lines[index - 1]?.percent ?? 0));
  return last && isGrowing ? last : undefined;
}

/**
 * Returns the progress of the container, the time that all its work takes at that pace, and a deadline in seconds that
 * leaves a quarter more, in whole hours.
 */
function paceOf(it: PodCase, { name, ended }: ContainerCase, seconds: number) {
  const found = progressIn([ended?.message ?? '', it.cluster.logs?.[name] ?? ''].join('\n'));
  if (!found || !ended || seconds <= 0) return undefined;
  const total = (seconds * 100) / found.percent;
  return {
    ...found,
    path: ended.message ? `${ended.path}.message` : `log of ${name}`,
    total: roughly(total * 1_000),
    wanted: Math.ceil((total * 1.25) / 3_600) * 3_600,
  };
}

/** Diagnoses a pod that exceeded its `activeDeadlineSeconds`. */
export const deadlineFindings: Matcher = (it) => {
  if (it.pod.status?.reason !== 'DeadlineExceeded') return [];
  const seconds = it.pod.spec.activeDeadlineSeconds ?? 0;
  const start = instantOf(it.pod.status.startTime);
  // The spec of a Job has a field of the same name.
  const template = templatePath(it.owner);
  const field = `${template}activeDeadlineSeconds`;
  const container = it.containers.find(({ role }) => role === 'main');
  const pace = container && paceOf(it, container, seconds);
  const values = {
    seconds,
    owner: it.owner.label,
    ran: roughly(seconds * 1_000),
    field,
    container: container?.name ?? '',
    percent: pace?.percent ?? 0,
    total: pace?.total ?? '',
    wanted: pace?.wanted ?? 0,
  };
  const fix = template === '' ? 'deadlineFix' : 'deadlineFixTemplate';
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
        ...(pace ? [textOf('deadlinePace', values)] : []),
      ],
      said: it.pod.status.message,
      facts: factsOf(
        ['status.reason', it.pod.status.reason],
        ['spec.activeDeadlineSeconds', seconds],
        ['status.startTime', it.pod.status.startTime],
        ...(pace ? [[pace.path, pace.line] as const] : []),
      ),
      outlook: failedOutlook(it),
      next: [
        ...(container && !pace ? [{ why: textOf('deadlineLogs', values), command: logsCommand(it, container) }] : []),
        ...it.change(pace ? `${fix}Pace` : fix, values),
      ],
    },
  ];
};
