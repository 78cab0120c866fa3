/** What befalls a pod as a whole: refused, evicted, out of time, not going. */
import { listAt, numberAt, objectAt, textAt, timeAt } from '../folds/attribute-values.ts';
import { type Diagnosis, eventsOf, factsOf, lengthInWords, type NextCommand, type Patient } from './patient.ts';
import { type ExplainText, say } from './text.ts';

/** Reasons with which a kubelet refuses pods, beside OutOf…. Upstream: pkg/kubelet/lifecycle and allocation (v1.36). */
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
  if (resource) return say('admissionResources', { resource: resource.toLowerCase() });
  if (reason === 'NodeAffinity') return say('admissionAffinity');
  if (reason === 'TaintToleration') return say('admissionTaint');
  if (reason === 'SysctlForbidden') return say('admissionSysctl');
  return reason.startsWith('PodOS') ? say('admissionOs') : undefined;
}

const replace = ({ track, kubectl }: Patient): NextCommand => ({ why: say('tryReplace'), command: kubectl(`delete pod ${track.name}`) });

/** A pod that failed as a whole. */
function failedPod(patient: Patient): Diagnosis | undefined {
  const { status, object } = patient;
  const reason = textAt(status, 'reason');
  if (textAt(status, 'phase') !== 'Failed' || !reason) return undefined;
  const said = textAt(status, 'message');
  const facts = factsOf(['status.phase', 'Failed'], ['status.reason', reason]);
  const common = { reason, severity: 'error', ...(said ? { said } : {}), facts } as const;
  const node: NextCommand = { why: say('tryNode'), command: 'kubectl describe nodes' };
  if (reason === 'Evicted') return { ...common, title: say('evictedTitle'), cause: [say('evicted')], next: [node, replace(patient)] };
  if (reason === 'Preempting') return { ...common, title: say('preemptedTitle'), cause: [say('preempted')], next: [node] };
  if (reason === 'DeadlineExceeded') {
    const seconds = numberAt(object, 'spec', 'activeDeadlineSeconds') ?? 0;
    return {
      ...common,
      facts: [...facts, ...factsOf(['spec.activeDeadlineSeconds', seconds])],
      title: say('deadlineTitle'),
      cause: [say('deadline', { seconds })],
      next: [replace(patient)],
    };
  }
  if (!refusals.has(reason) && !/^OutOf\w+$/.test(reason)) return undefined;
  const why = refusalText(reason);
  const spec = objectAt(object, 'spec');
  return {
    ...common,
    facts: [
      ...facts,
      ...(reason === 'NodeAffinity' ? factsOf(['spec.nodeSelector', spec?.['nodeSelector']], ['spec.affinity', spec?.['affinity']]) : []),
      ...(reason === 'SysctlForbidden' ? factsOf(['spec.securityContext.sysctls', objectAt(spec, 'securityContext')?.['sysctls']]) : []),
      ...(reason.startsWith('OutOf')
        ? patient.containers.flatMap((each) => factsOf([`${each.specPath}.resources.requests`, objectAt(each.spec, 'resources')?.['requests']]))
        : []),
    ],
    title: say('admissionTitle'),
    cause: [say('admission', { reason }), ...(why ? [why] : [])],
    next: [node, replace(patient)],
  };
}

/** What a pod that is being deleted waits for. */
function terminating(patient: Patient): Diagnosis | undefined {
  const { track, object, now, containers, kubectl } = patient;
  const deadline = timeAt(object, 'metadata', 'deletionTimestamp');
  if (deadline === undefined || track.deletedAt !== undefined) return undefined;
  const seconds = numberAt(object, 'metadata', 'deletionGracePeriodSeconds') ?? 30;
  const finalizers = objectAt(object, 'metadata', 'finalizers');
  const names = Array.isArray(finalizers) ? finalizers.map(String) : [];
  const running = containers.filter(({ track: own }) => own?.attempts.at(-1)?.state === 'running');
  const isLate = now > deadline;
  const failed = track.syncs.at(-1)?.results.findLast(({ action, error }) => error !== undefined && action.startsWith('Kill'));
  const failedEvent = eventsOf(track, 'FailedKillPod').at(-1);
  const hook = containers.some(({ track: own }) => own?.activities.some(({ kind, end }) => kind === 'preStop' && end === undefined));
  const cause = [
    isLate ? say('terminating', { seconds, late: lengthInWords(now - deadline) }) : say('terminatingWaits', { left: lengthInWords(deadline - now) }),
    ...(hook ? [say('terminatingHook')] : []),
    ...running.map(({ name }) => say('terminatingRunning', { container: name })),
    ...(failed || failedEvent ? [say('terminatingKill', { target: failed?.target ?? track.name })] : []),
    ...(names.length > 0 && running.length === 0 ? [say('terminatingFinalizers', { names: names.join(', ') })] : []),
  ];
  const said = failed?.message ?? failedEvent?.message;
  return {
    reason: 'Terminating',
    severity: isLate ? 'error' : 'waiting',
    title: say(isLate ? 'terminatingTitle' : 'terminatingWaitsTitle'),
    cause,
    ...(said ? { said } : {}),
    facts: factsOf(
      ['metadata.deletionTimestamp', textAt(object, 'metadata', 'deletionTimestamp')],
      ['metadata.deletionGracePeriodSeconds', seconds],
      ['metadata.finalizers', names.length > 0 ? names.join(', ') : undefined],
    ),
    next: [
      ...(names.length > 0 ? [{ why: say('tryFinalizers'), command: kubectl(`get pod ${track.name} -o jsonpath='{.metadata.finalizers}'`) }] : []),
      { why: say('tryEvents'), command: kubectl(`events --for pod/${track.name}`) },
      ...(isLate ? [{ why: say('tryForce'), command: kubectl(`delete pod ${track.name} --grace-period=0 --force`) }] : []),
    ],
  };
}

function held({ track }: Patient): Diagnosis | undefined {
  if (!track.stoppedAt) return undefined;
  return {
    reason: 'Stopped',
    severity: 'waiting',
    title: say('heldTitle'),
    cause: [say('held', { point: track.stoppedAt.point })],
    facts: [],
    next: [],
  };
}

function gated({ object, status, track, kubectl }: Patient): Diagnosis | undefined {
  if (!listAt(status, 'conditions').some((each) => each['type'] === 'PodScheduled' && each['reason'] === 'SchedulingGated')) return undefined;
  return {
    reason: 'SchedulingGated',
    severity: 'waiting',
    title: say('gatedTitle'),
    cause: [say('gated')],
    facts: factsOf(['spec.schedulingGates', objectAt(object, 'spec')?.['schedulingGates']]),
    next: [{ why: say('tryEdit'), command: kubectl(`edit pod ${track.name}`) }],
  };
}

/** No node takes it: no kubelet has heard of it. */
function unscheduled({ object, status, track, kubectl }: Patient): Diagnosis | undefined {
  if (objectAt(object, 'spec')?.['nodeName']) return undefined;
  const condition = listAt(status, 'conditions').find((each) => each['type'] === 'PodScheduled' && each['status'] === 'False');
  if (!condition) return undefined;
  const said = textAt(condition, 'message');
  return {
    reason: textAt(condition, 'reason') ?? 'Unschedulable',
    severity: 'error',
    title: say('unscheduledTitle'),
    cause: [say('unscheduled')],
    ...(said ? { said } : {}),
    facts: factsOf(['status.conditions[PodScheduled].reason', textAt(condition, 'reason')]),
    next: [
      { why: say('tryNode'), command: 'kubectl describe nodes' },
      { why: say('tryEvents'), command: kubectl(`events --for pod/${track.name}`) },
    ],
  };
}

/** In this order; a pod that is held, refused or going has no other trouble worth naming. */
export const podDiagnosis = (patient: Patient): Diagnosis | undefined => terminating(patient) ?? failedPod(patient) ?? gated(patient) ?? unscheduled(patient);

export const heldDiagnosis = held;
