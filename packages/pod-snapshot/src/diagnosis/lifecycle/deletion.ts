/**
 * Diagnoses a pod that is being deleted: a lost node, a container that cannot be killed, finalizers, preemption and
 * eviction, preStop hooks and the grace period.
 */
import { isRecord } from '@podscope/base';
import { addMilliseconds } from '@podscope/trace';
import { type ExplainText, type NextCommand, textOf } from '@podscope/trace/explain';
import { instantOf } from '../../pod-snapshot.ts';
import {
  conditionOf,
  eventFact,
  type Finding,
  factsOf,
  type Matcher,
  newest,
  type PodCase,
  pathOfCondition,
  roughly,
  timed,
} from '../pod-case.ts';
import { onNode, runtimeService, runtimeTool } from '../runtime.ts';
import { frameworks, operatorOf } from './framework-operators.ts';
import { describeNode, lostNode } from './node-loss.ts';
import { preStop } from './pre-stop.ts';

const replacement = ({ owner }: PodCase): ExplainText =>
  owner.kind === 'StatefulSet' || owner.kind === 'DaemonSet'
    ? textOf('replacedAfter', { owner: owner.label })
    : owner.replaces
      ? textOf('replaced', { owner: owner.label })
      : textOf('notReplaced');

/** Returns a volume of the pod that a server provides over the network; undefined without one. */
function remoteVolume({ pod: { spec } }: PodCase): { readonly volume: string; readonly server: string } | undefined {
  for (const { name, nfs, csi } of spec.volumes ?? []) {
    if (nfs) return { volume: name, server: nfs.server ?? '' };
    const attributes: unknown = isRecord(csi) ? csi['volumeAttributes'] : undefined;
    const driver = isRecord(csi) ? csi['driver'] : undefined;
    if (typeof driver !== 'string' || !/nfs|smb|cifs|ceph/.test(driver)) continue;
    const server = isRecord(attributes) ? (attributes['server'] ?? attributes['source']) : undefined;
    return { volume: name, server: typeof server === 'string' ? server : driver };
  }
  return undefined;
}

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
  if (target?.reason === 'DeletionByPodGC' && /node no longer exists/i.test(target.message ?? '')) {
    const isCounted = (metadata.finalizers ?? []).includes('batch.kubernetes.io/job-tracking');
    return [
      {
        ...base,
        severity: 'waiting',
        origin: 'node',
        title: textOf('nodeGoneTitle', values),
        cause: [textOf('nodeGone', values), textOf('nodeGoneStale', values)],
        facts: [
          ...factsOf([pathOfCondition('DisruptionTarget'), `${target.reason}: ${target.message ?? ''}`]),
          ...facts,
        ],
        outlook: [textOf(isCounted ? 'nodeGoneCounted' : 'nodeGoneSoon', values), replacement(it)],
        next: [
          { why: textOf('nodeGoneLook', values), command: 'kubectl get nodes' },
          ...(isCounted
            ? [{ why: textOf('nodeGoneJob', values), command: 'kubectl explain job.spec.podFailurePolicy.rules' }]
            : []),
        ],
      },
    ];
  }
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
  const network = /plugin type=\\?"(?<plugin>[^"\\]+)\\?"[^\n]*?failed \(delete\): (?<said>[^\n]+)/.exec(
    kill?.message ?? '',
  )?.groups;
  if (kill && network && running === '') {
    const plugin = network['plugin'] ?? '';
    const all = { ...values, plugin, said: (network['said'] ?? '').replace(/[\\"]+$/, '').slice(0, 240) };
    return [
      {
        ...base,
        severity: 'error',
        origin: 'network',
        title: textOf('killNetworkTitle', all),
        cause: [textOf('killNetwork', all)],
        said: kill.message,
        facts: [...facts, ...eventFact(kill)],
        outlook: [textOf('killNetworkOutlook')],
        next: [
          {
            why: textOf('killNetworkPlugin', all),
            command:
              `kubectl get pods -A -o wide --field-selector spec.nodeName=${it.node} | ` +
              `grep -i '${plugin.split('-')[0]}'`,
          },
          { why: textOf('deletingKubelet', all), command: onNode(it, 'journalctl -u kubelet -n 100 --no-pager') },
        ],
      },
    ];
  }
  const killed = it.containers.filter(({ runningSince }) => runningSince !== undefined).map(({ name }) => name);
  const remote = remoteVolume(it);
  if (kill && /(?:signal\w*|kill)[^\n]*permission denied/i.test(kill.message) && running !== '')
    return [
      {
        ...base,
        severity: 'error',
        origin: 'node',
        title: textOf('killDeniedTitle', { ...values, names: killed.join(', ') }),
        cause: [textOf('killDenied', { ...values, times: kill.count, names: killed.join(', ') })],
        said: kill.message,
        facts: [...facts, ...eventFact(kill)],
        outlook: [textOf('killDeniedOutlook', values)],
        next: [
          {
            why: textOf('killDeniedLook', values),
            command: onNode(it, `sh -c 'journalctl -k | grep -iE "apparmor=.DENIED|avc: +denied" | tail -20'`),
          },
          { why: textOf('killDeniedProfiles', values), command: onNode(it, 'aa-status') },
        ],
      },
    ];
  if (kill && kill.reason !== 'FailedPreStopHook')
    return [
      {
        ...base,
        severity: 'error',
        origin: 'runtime',
        title: textOf('killTitle', values),
        cause: [
          textOf('kill', { ...values, times: kill.count, names: killed.join(', ') || it.name }),
          textOf('killWhy', values),
          ...(remote ? [textOf('killRemote', { ...values, ...remote })] : []),
        ],
        said: kill.message,
        facts: [...facts, ...eventFact(kill)],
        outlook: [textOf('killOutlook', values)],
        next: [
          {
            why: textOf('killProcess', values),
            command: onNode(it, 'ps -eo pid,stat,wchan:32,args') + " | awk '$2 ~ /^D/'",
          },
          ...(remote
            ? [
                {
                  why: textOf('killRemoteFix', { ...values, ...remote }),
                  command: onNode(it, 'sh -c \'grep -E " (nfs4?|cifs|ceph|fuse\\S*) " /proc/mounts\''),
                },
              ]
            : []),
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
            command: onNode(it, `systemctl restart ${runtimeService(it)}`),
          },
        ],
      },
    ];
  if (running === '' && (metadata.finalizers ?? []).length > 0) {
    const name = metadata.finalizers?.[0] ?? '';
    const group = name.split('/')[0] ?? name;
    const words = group
      .split('.')
      .filter((each) => each.length > 2 && !/^(?:com|org|net|dev|k8s|sigs|api|www)$/.test(each));
    const isOne = metadata.finalizers?.length === 1;
    const isJob = name === 'batch.kubernetes.io/job-tracking';
    const { labels = {} } = metadata;
    const by = ['app.kubernetes.io/managed-by', 'app.kubernetes.io/created-by']
      .map((key) => labels[key] ?? '')
      .find((each) => /operator|controller/i.test(each));
    const { source, isCustom, ref, label } = it.owner;
    const resource = source?.ref ?? (isCustom ? ref : undefined);
    const kind = (source?.label ?? label).split(' ')[0] ?? '';
    const operator = operatorOf(resource, kind);
    const isFramework = by === undefined && frameworks.has(group);
    return [
      {
        ...base,
        severity: 'error',
        origin: 'controller',
        title: textOf(isOne ? 'finalizerTitle' : 'finalizersTitle', values),
        cause: [
          textOf(isJob ? 'finalizerJob' : isOne ? 'finalizer' : 'finalizers', values),
          ...(frameworks.has(group)
            ? [textOf(operator.api === '' ? 'finalizerKopf' : 'finalizerKopfOf', { api: operator.api })]
            : []),
          ...(by === undefined ? [] : [textOf('finalizerBy', { by })]),
          ...(target?.reason === 'EvictionByEvictionAPI' ? [textOf('finalizerEvicted')] : []),
        ],
        facts: [...factsOf(['metadata.finalizers', values.finalizers]), ...facts],
        outlook: [
          textOf('finalizerOutlook', values),
          ...(it.owner.kind === 'StatefulSet' ? [textOf('replacedAfter', { owner: it.owner.label })] : []),
        ],
        next: [
          ...(isFramework
            ? operator.find
            : [
                {
                  why: textOf('finalizerWho', values),
                  command: isJob
                    ? 'kubectl -n kube-system get pods | grep controller-manager'
                    : `kubectl get pods -A | grep -iE '${by ?? words.join('|')}'`,
                },
              ]),
          {
            why: textOf('finalizerLog', values),
            command: isJob
              ? 'kubectl -n kube-system logs -l component=kube-controller-manager --tail=50'
              : `kubectl -n NAMESPACE logs ${isFramework ? 'deployment/OPERATOR' : 'POD'} --tail=50`,
          },
          ...(resource === undefined
            ? []
            : [{ why: textOf('finalizerOwner', values), command: it.kubectl(`describe ${resource}`) }]),
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
  const hooks = it.containers.filter(({ spec, runningSince }) => runningSince !== undefined && spec.lifecycle?.preStop);
  const hook = hooks
    .map(
      ({ spec: { lifecycle: { preStop: { exec, sleep } = {} } = {} }, name }) =>
        `${name}: ${exec?.command?.join(' ') ?? (sleep ? `sleep ${sleep.seconds}` : 'preStop')}`,
    )
    .join('; ');
  const hookFacts = factsOf(
    ...hooks.map(({ specPath, spec }) => [`${specPath}.lifecycle.preStop`, spec.lifecycle?.preStop] as const),
  );
  const slow = preStop(it, hooks);
  // A short hook is part of every ordinary deletion.
  const isSlow = slow.isQuorum || (hook !== '' && grace > 120);
  const by = target?.status === 'True' ? reasons[target.reason ?? ''] : undefined;
  const isLate = it.now > addMilliseconds(deadline, 60_000);
  const until =
    running === '' && unmount
      ? [textOf('unmountOutlook')]
      : running === ''
        ? [textOf('deletedSoon', values)]
        : [
            ...(isSlow && !isLate ? [textOf('deletingHookOutlook')] : []),
            timed(isLate ? 'deletedLate' : 'deletedAt', { time: deadline }, values),
            ...(grace >= 43_200 ? [textOf('deletingDay', { day: new Date(deadline).toISOString().slice(0, 10) })] : []),
          ];
  if (by) {
    const commands: Readonly<Record<typeof by.id, readonly NextCommand[]>> = {
      byPreemption: [
        ...it.change('preemptionFix', values),
        { why: textOf('preemptionCapacity'), command: "kubectl describe nodes | grep -A 12 'Allocated resources'" },
      ],
      byEviction: [
        {
          why: textOf(slow.isQuorum ? 'evictionDrain' : 'evictionNode', values),
          command: `kubectl get node ${it.node}`,
        },
        ...(slow.isQuorum
          ? []
          : [{ why: textOf('evictionBudget', values), command: it.kubectl('get poddisruptionbudgets') }]),
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
        cause: [textOf(by.id, values), ...(isSlow ? [textOf('deletingHook', { hook }), ...slow.cause] : [])],
        said: target?.message,
        facts: [
          ...factsOf([pathOfCondition('DisruptionTarget'), `${target?.reason}: ${target?.message ?? ''}`]),
          ...facts,
          ...(isSlow ? hookFacts : []),
        ],
        outlook: [...until, ...(by.id === 'byPreemption' ? [textOf('preemptedMayWait', values)] : []), replacement(it)],
        next: [...(isSlow ? slow.next : []), ...commands[by.id]],
      },
    ];
  }
  const runs = it.containers.find(({ runningSince }) => runningSince !== undefined);
  return [
    {
      ...base,
      severity: isLate ? 'error' : 'waiting',
      origin: isLate ? 'node' : 'program',
      title: textOf(
        unmount && running === '' ? 'deletingUnmountTitle' : isLate ? 'deletingLateTitle' : 'deletingTitle',
        values,
      ),
      cause: [
        timed('deleting', { asked, time: deadline }, values),
        ...(unmount && running === '' ? [textOf('deletingEnded', values)] : []),
        ...(unmount ? [textOf('deletingUnmount', { said: unmount.message })] : []),
        ...(kill
          ? [textOf('deletingHookFailed', { hook, said: kill.message })]
          : hook
            ? [textOf('deletingHook', { hook }), ...slow.cause]
            : running
              ? [textOf('deletingRunning', values)]
              : []),
        ...(isLate && !(unmount && running === '') ? [textOf('deletingLate', values)] : []),
      ],
      facts: [...facts, ...hookFacts, ...eventFact(kill ?? unmount)],
      outlook: [...until, replacement(it)],
      next: isLate
        ? [
            ...(unmount
              ? [
                  {
                    why: textOf('unmountWho', values),
                    command: onNode(it, `sh -c 'fuser -vm /var/lib/kubelet/pods/${it.pod.metadata.uid}/volumes/*/*'`),
                  },
                ]
              : []),
            { why: textOf('lostLook', values), command: `kubectl get node ${it.node} -o wide` },
            { why: textOf('deletingKubelet', values), command: onNode(it, 'journalctl -u kubelet -n 100 --no-pager') },
          ]
        : [
            ...(slow.isQuorum
              ? []
              : [{ why: textOf('deletingWait', values), command: it.kubectl(`get pod ${it.name} -w`) }]),
            ...(kill ? [] : slow.next),
            ...(runs
              ? [
                  {
                    why: textOf('lookLogs', { container: runs.name }),
                    command: it.kubectl(`logs ${it.name} -c ${runs.name} --tail=50`),
                  },
                ]
              : []),
            ...(kill
              ? [
                  ...hooks.slice(0, 1).flatMap(({ name, spec }) =>
                    spec.lifecycle?.preStop?.exec?.command
                      ? [
                          {
                            why: textOf('hookStopTry'),
                            command: it.kubectl(
                              `exec ${it.name} -c ${name} -- ${spec.lifecycle.preStop.exec.command.join(' ')}`,
                            ),
                          },
                        ]
                      : [],
                  ),
                  ...it.change('hookStopFix', values),
                ]
              : []),
            // A hook that protects data must not be cut short.
            ...(grace > 120 && !slow.isQuorum
              ? [
                  {
                    why: textOf('deletingGrace', values),
                    command: it.kubectl(`delete pod ${it.name} --grace-period=60`),
                  },
                  ...it.change('deletingGraceLater', values),
                ]
              : []),
          ],
    },
  ];
};
