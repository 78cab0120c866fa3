/**
 * Recognizes a node that stopped answering, and diagnoses the pods that run on it.
 */
import { addMilliseconds, type Instant } from '@podscope/trace';
import { type FieldFact, type NextCommand, textOf } from '@podscope/trace/explain';
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
  timed,
} from '../pod-case.ts';
import { journalUnits, onNode } from '../runtime.ts';

/** Returns the command that describes the pod's node, with the reason to run it. */
export const describeNode = (it: PodCase): NextCommand => ({
  why: textOf('nodeDescribe', { node: it.node }),
  command: `kubectl describe node ${it.node}`,
});

/** Returns the time since which the node hasn't answered, with evidence; undefined if it answers. */
export function lostNode(
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
  if (
    !isDown &&
    !isLostByReason &&
    !(event && ready?.status !== 'True') &&
    !isStale &&
    !(isByTaint && isRunning(it) && !isAnswering(it))
  )
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

/** Returns whether the kubelet has stopped containers since the deletion, so its node works. */
const isAnswering = ({ pod, events }: PodCase): boolean => {
  const deadline = instantOf(pod.metadata.deletionTimestamp);
  const killing = newest(events, ['Killing']);
  return (
    deadline !== undefined &&
    killing !== undefined &&
    killing.last >= addMilliseconds(deadline, -1_000 * (pod.metadata.deletionGracePeriodSeconds ?? 30) - 2_000) &&
    newest(events, ['NodeNotReady']) === undefined
  );
};

const isRunning = ({ containers }: PodCase): boolean =>
  containers.some(({ runningSince }) => runningSince !== undefined);

/** Returns the finding of a node whose kubelet reports that it isn't ready. */
function reported(it: PodCase, said: string, facts: readonly FieldFact[]): Finding {
  const values = { node: it.node, said };
  const isNetwork = /cni|network/i.test(said);
  return {
    reason: 'NodeNotReady',
    severity: 'error',
    origin: isNetwork ? 'network' : 'node',
    title: textOf('nodeReportsTitle', values),
    cause: [textOf('nodeReports', values)],
    said,
    facts,
    outlook: [textOf('nodeReportsOutlook', values)],
    next: [
      ...(isNetwork
        ? [
            {
              why: textOf('nodeNetworkPods', values),
              command:
                `kubectl get pods -A -o wide --field-selector spec.nodeName=${it.node} | ` +
                "grep -iE 'cni|calico|cilium|flannel|weave|aws-node|antrea|kube-router'",
            },
          ]
        : []),
      describeNode(it),
      {
        why: textOf('nodeRuntime', values),
        command: onNode(it, `journalctl -u kubelet ${journalUnits(it)} -n 100 --no-pager`),
      },
    ],
  };
}

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
  const known = it.cluster.node?.conditions.find(({ type }) => type === 'Ready');
  // The node controller sets Unknown if the kubelet is silent; False is the kubelet's own report.
  if (known?.status === 'False') return [reported(it, known.message ?? known.reason ?? '', lost.facts)];
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
  // The event is the same for a silent kubelet and for one that reports a problem.
  const isUnknown = known === undefined && !isGone && it.pod.status?.reason !== 'NodeLost';
  const tolerated = (it.pod.spec.tolerations ?? []).map(({ key = '' }) => key);
  const isSpot = [it.node, ...Object.keys(it.pod.spec.nodeSelector ?? {}), ...tolerated].some((each) =>
    /\bspot\b|scalesetpriority|preemptible/.test(each),
  );
  const isUntouched = it.containers.every(({ status }) => status === undefined);
  return [
    {
      reason: 'NodeNotReady',
      severity: 'error',
      origin: 'node',
      title: textOf(isUnknown ? 'lostUnknownTitle' : 'lostTitle', values),
      cause: [
        textOf(isGone ? 'lostNodeGone' : isUnknown ? 'lostUnknown' : 'lostNode', values),
        ...(isSpot ? [textOf('lostSpot')] : []),
        textOf(isUntouched ? 'lostUntouched' : 'lostStale', values),
      ],
      facts: lost.facts,
      outlook: [
        isForever
          ? textOf('lostStays', values)
          : lost.since === undefined
            ? textOf('lostEvicted', values)
            : timed('lostEvictedAt', { time: addMilliseconds(lost.since, seconds * 1_000) }, values),
        // Controllers that name their pods wait until the pod is gone.
        ...(isForever ||
        lost.since === undefined ||
        !it.owner.replaces ||
        ['StatefulSet', 'DaemonSet'].includes(it.owner.kind) ||
        it.owner.isCustom
          ? []
          : [textOf('lostReplaced', values)]),
        textOf(isUntouched ? 'lostUntouchedBack' : 'lostBack', values),
      ],
      next: [
        describeNode(it),
        { why: textOf('lostKubelet', values), command: `ssh ${it.node} sudo journalctl -u kubelet -n 100 --no-pager` },
        ...(isSpot ? [{ why: textOf('lostGone'), command: `kubectl delete node ${it.node}` }] : []),
      ],
    },
  ];
};
