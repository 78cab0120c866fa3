/** Diagnoses problems of a whole pod: rejected, evicted, over its deadline, stuck in deletion. */
import { listAt, numberAt, objectAt, textAt, timeAt } from '../../folds/attribute-values.ts';
import { type Diagnosis, eventsOf, factsOf, lengthInWords, type NextCommand, type PodFacts } from '../pod-facts.ts';
import { type ExplainText, textOf } from '../text.ts';

/** Reasons for which a kubelet rejects pods, besides OutOf…. Upstream: pkg/kubelet/lifecycle and allocation (v1.36). */
const refusals: ReadonlySet<string> = new Set([
  'NodeAffinity',
  'NodePorts',
  'NodeName',
  'NodeUnschedulable',
  'TaintToleration',
  'UnexpectedAdmissionError',
  'UnexpectedPredicateFailureType',
  'InvalidNodeInfo',
  'PodOSSelectorNodeLabelDoesNotMatch',
  'PodOSNotSupported',
  'PodLevelResourcesNotAdmittedReason',
  'SysctlForbidden',
  'AppArmor',
  'Topology',
  'TopologyAffinityError',
  'UnsupportedPodVolumes',
  'PodFeatureUnsupported',
  'Forbidden',
]);

function refusalText(reason: string): ExplainText | undefined {
  const resource = /^OutOf(\w+)$/.exec(reason)?.[1];
  if (resource) return textOf('admissionResources', { resource: resource.toLowerCase() });
  if (reason === 'NodeAffinity') return textOf('admissionAffinity');
  if (reason === 'TaintToleration') return textOf('admissionTaint');
  if (reason === 'SysctlForbidden') return textOf('admissionSysctl');
  return reason.startsWith('PodOS') ? textOf('admissionOs') : undefined;
}

const replace = ({ track, kubectl }: PodFacts): NextCommand => ({
  why: textOf('tryReplace'),
  command: kubectl(`delete pod ${track.name}`),
});

/** Diagnoses a pod in phase Failed. */
function failedPod(podFacts: PodFacts): Diagnosis | undefined {
  const { status, object } = podFacts;
  const reason = textAt(status, 'reason');
  if (textAt(status, 'phase') !== 'Failed' || !reason) return undefined;
  const said = textAt(status, 'message');
  const facts = factsOf(['status.phase', 'Failed'], ['status.reason', reason]);
  const common = { reason, severity: 'error', ...(said ? { said } : {}), facts } as const;
  const node: NextCommand = { why: textOf('tryNode'), command: 'kubectl describe nodes' };
  if (reason === 'Evicted')
    return { ...common, title: textOf('evictedTitle'), cause: [textOf('evicted')], next: [node, replace(podFacts)] };
  if (reason === 'Preempting')
    return { ...common, title: textOf('preemptedTitle'), cause: [textOf('preempted')], next: [node] };
  if (reason === 'DeadlineExceeded') {
    const seconds = numberAt(object, 'spec', 'activeDeadlineSeconds') ?? 0;
    return {
      ...common,
      facts: [...facts, ...factsOf(['spec.activeDeadlineSeconds', seconds])],
      title: textOf('deadlineTitle'),
      cause: [textOf('deadline', { seconds })],
      next: [replace(podFacts)],
    };
  }
  if (!refusals.has(reason) && !/^OutOf\w+$/.test(reason)) return undefined;
  const why = refusalText(reason);
  const spec = objectAt(object, 'spec');
  return {
    ...common,
    facts: [
      ...facts,
      ...(reason === 'NodeAffinity'
        ? factsOf(['spec.nodeSelector', spec?.['nodeSelector']], ['spec.affinity', spec?.['affinity']])
        : []),
      ...(reason === 'SysctlForbidden'
        ? factsOf(['spec.securityContext.sysctls', objectAt(spec, 'securityContext')?.['sysctls']])
        : []),
      ...(reason.startsWith('OutOf')
        ? podFacts.containers.flatMap((each) =>
            factsOf([`${each.specPath}.resources.requests`, objectAt(each.spec, 'resources')?.['requests']]),
          )
        : []),
    ],
    title: textOf('admissionTitle'),
    cause: [textOf('admission', { reason }), ...(why ? [why] : [])],
    next: [node, replace(podFacts)],
  };
}

/** Diagnoses a pod that is being deleted, by the first thing that delays it. */
function terminating(podFacts: PodFacts): Diagnosis | undefined {
  const { track, object, now, containers, kubectl } = podFacts;
  const deadline = timeAt(object, 'metadata', 'deletionTimestamp');
  if (deadline === undefined || track.deletedAt !== undefined) return undefined;
  const seconds = numberAt(object, 'metadata', 'deletionGracePeriodSeconds') ?? 30;
  const finalizers = objectAt(object, 'metadata', 'finalizers');
  const names = Array.isArray(finalizers) ? finalizers.map(String) : [];
  const running = containers.filter(({ track: own }) => own?.attempts.at(-1)?.state === 'running');
  const isLate = now > deadline;
  const failed = track.syncs
    .findLast(({ results }) => results.length > 0)
    ?.results.findLast(({ action, error }) => error !== undefined && action.startsWith('Kill'));
  const failedEvent = eventsOf(track, 'FailedKillPod').at(-1);
  const hook = containers.some(({ track: own }) =>
    own?.activities.some(({ kind, end }) => kind === 'preStop' && end === undefined),
  );
  const cause = [
    isLate
      ? textOf('terminating', { seconds, late: lengthInWords(now - deadline) })
      : textOf('terminatingWaits', { left: lengthInWords(deadline - now) }),
    ...(hook ? [textOf('terminatingHook')] : []),
    ...running.map(({ name }) => textOf('terminatingRunning', { container: name })),
    ...(failed || failedEvent ? [textOf('terminatingKill', { target: failed?.target ?? track.name })] : []),
    ...(names.length > 0 && running.length === 0 ? [textOf('terminatingFinalizers', { names: names.join(', ') })] : []),
  ];
  const said = failed?.message ?? failedEvent?.message;
  return {
    reason: 'Terminating',
    severity: isLate ? 'error' : 'waiting',
    title: textOf(isLate ? 'terminatingTitle' : 'terminatingWaitsTitle'),
    cause,
    ...(said ? { said } : {}),
    facts: factsOf(
      ['metadata.deletionTimestamp', textAt(object, 'metadata', 'deletionTimestamp')],
      ['metadata.deletionGracePeriodSeconds', seconds],
      ['metadata.finalizers', names.length > 0 ? names.join(', ') : undefined],
    ),
    next: [
      ...(names.length > 0
        ? [
            {
              why: textOf('tryFinalizers'),
              command: kubectl(`get pod ${track.name} -o jsonpath='{.metadata.finalizers}'`),
            },
          ]
        : []),
      { why: textOf('tryEvents'), command: kubectl(`events --for pod/${track.name}`) },
      ...(isLate
        ? [{ why: textOf('tryForce'), command: kubectl(`delete pod ${track.name} --grace-period=0 --force`) }]
        : []),
    ],
  };
}

function held({ track }: PodFacts): Diagnosis | undefined {
  if (!track.stoppedAt) return undefined;
  return {
    reason: 'Stopped',
    severity: 'waiting',
    title: textOf('heldTitle'),
    cause: [textOf('held', { point: track.stoppedAt.point })],
    facts: [],
    next: [],
  };
}

function gated({ object, status, track, kubectl }: PodFacts): Diagnosis | undefined {
  if (
    !listAt(status, 'conditions').some(
      (each) => each['type'] === 'PodScheduled' && each['reason'] === 'SchedulingGated',
    )
  )
    return undefined;
  return {
    reason: 'SchedulingGated',
    severity: 'waiting',
    title: textOf('gatedTitle'),
    cause: [textOf('gated')],
    facts: factsOf(['spec.schedulingGates', objectAt(object, 'spec')?.['schedulingGates']]),
    next: [{ why: textOf('tryEdit'), command: kubectl(`edit pod ${track.name}`) }],
  };
}

/** Diagnoses a pod that isn't scheduled and is therefore unknown to any kubelet. */
function unscheduled({ object, status, track, kubectl }: PodFacts): Diagnosis | undefined {
  if (objectAt(object, 'spec')?.['nodeName']) return undefined;
  const condition = listAt(status, 'conditions').find(
    (each) => each['type'] === 'PodScheduled' && each['status'] === 'False',
  );
  if (!condition) return undefined;
  const said = textAt(condition, 'message');
  return {
    reason: textAt(condition, 'reason') ?? 'Unschedulable',
    severity: 'error',
    title: textOf('unscheduledTitle'),
    cause: [textOf('unscheduled')],
    ...(said ? { said } : {}),
    facts: factsOf(['status.conditions[PodScheduled].reason', textAt(condition, 'reason')]),
    next: [
      { why: textOf('tryNode'), command: 'kubectl describe nodes' },
      { why: textOf('tryEvents'), command: kubectl(`events --for pod/${track.name}`) },
    ],
  };
}

/** Checked in this order. A pod with one of these problems has no other problem worth reporting. */
export const podDiagnosis = (podFacts: PodFacts): Diagnosis | undefined =>
  terminating(podFacts) ?? failedPod(podFacts) ?? gated(podFacts) ?? unscheduled(podFacts);

export const heldDiagnosis = held;
