/** Generates the kubelet's own pod conditions. Upstream: pkg/kubelet/status/generate.go (v1.36). */
import {
  type PodStatus as ApiPodStatus,
  type Container,
  type ContainerStatus,
  goQuote,
  isRestartableInitContainer,
  type Pod,
  type PodCondition,
  type PodPhase,
} from '@podscope/k8s';
import type { FeatureGates } from '../features.ts';
import { allContainersRestarting } from './restart-all-containers.ts';

/**
 * The condition types that the kubelet owns. The kubelet removes and rewrites them. Upstream: PodConditionByKubelet.
 */
export const kubeletConditionTypes: ReadonlySet<string> = new Set([
  'PodScheduled',
  'Ready',
  'Initialized',
  'ContainersReady',
  'PodReadyToStartContainers',
  'PodResizePending',
  'PodResizeInProgress',
  allContainersRestarting,
]);

/** A condition type that other components set as well. Upstream: PodConditionSharedByKubelet. */
export const disruptionTarget = 'DisruptionTarget';

/** Returns a condition of the kubelet. The status manager sets its times. */
export const condition = (
  type: string,
  status: 'True' | 'False',
  generation: number | undefined,
  reason?: string,
  message?: string,
): PodCondition => ({
  type,
  ...(generation ? { observedGeneration: generation } : {}),
  status,
  lastProbeTime: null,
  lastTransitionTime: null,
  ...(reason ? { reason } : {}),
  ...(message ? { message } : {}),
});

/**
 * Returns the conditions with this one in the place of the condition of its type, or at the end. Upstream:
 * ReplaceOrAppendPodCondition.
 */
export const withCondition = (
  conditions: readonly PodCondition[] | undefined = [],
  replacement: PodCondition,
): readonly PodCondition[] =>
  conditions.some(({ type }) => type === replacement.type)
    ? conditions.map((present) => (present.type === replacement.type ? replacement : present))
    : [...conditions, replacement];

/** Returns a label and names, for example `label: [a b]`; undefined for an empty list. */
export const list = (label: string, names: readonly string[]): string | undefined =>
  names.length > 0 ? `${label}: [${names.join(' ')}]` : undefined;

/** Joins the parts that are defined, separated by commas. */
export const join = (...parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined).join(', ');

export interface ConditionInput {
  readonly pod: Pod;
  readonly status: ApiPodStatus;
  readonly phase: PodPhase;
  readonly old: ApiPodStatus | undefined;
  readonly gates: FeatureGates;
}

const generationOf = ({ pod, gates }: Pick<ConditionInput, 'pod' | 'gates'>): number | undefined =>
  gates.PodObservedGenerationTracking ? pod.metadata.generation : undefined;

/** Returns the status of a pod that the kubelet terminates before its end, with the condition that says why. */
export const withDisruption = (
  input: Pick<ConditionInput, 'pod' | 'gates'>,
  status: ApiPodStatus,
  message: string,
): ApiPodStatus => ({
  ...status,
  conditions: withCondition(
    status.conditions,
    condition(disruptionTarget, 'True', generationOf(input), 'TerminationByKubelet', message),
  ),
});

/** Returns the status of the container with this name. */
export const find = (
  statuses: readonly ContainerStatus[] | undefined,
  { name }: Container,
): ContainerStatus | undefined => statuses?.find((status) => status.name === name);

/** Returns the statuses of init containers and containers; undefined if both are unknown. */
const allStatuses = ({
  initContainerStatuses,
  containerStatuses,
}: ApiPodStatus): readonly ContainerStatus[] | undefined =>
  initContainerStatuses || containerStatuses
    ? [...(initContainerStatuses ?? []), ...(containerStatuses ?? [])]
    : undefined;

/** Returns the condition Initialized. Upstream: GeneratePodInitializedCondition. */
export function podInitializedCondition(input: ConditionInput): PodCondition {
  const { pod, status, phase, old, gates } = input;
  const generation = generationOf(input);
  const initContainers = pod.spec.initContainers ?? [];
  const statuses = allStatuses(status);
  if (!statuses && initContainers.length > 0)
    return condition('Initialized', 'False', generation, 'UnknownContainerStatuses');
  const unknown = initContainers.filter((container) => !find(statuses, container)).map(({ name }) => name);
  const incomplete = initContainers
    .filter((container) => {
      const found = find(statuses, container);
      return found && !(isRestartableInitContainer(container) ? found.started : found.ready);
    })
    .map(({ name }) => name);
  if (phase === 'Succeeded' && unknown.length === 0)
    return condition('Initialized', 'True', generation, 'PodCompleted');
  // The pod is initialized once a regular container has run. Its sidecars may not be running at the moment.
  if (status.containerStatuses?.some(({ state }) => state?.running || state?.terminated))
    return condition('Initialized', 'True', generation);
  if (unknown.length === 0 && incomplete.length === 0) return condition('Initialized', 'True', generation);
  const wasInitialized = old?.conditions?.some(({ type, status: value }) => type === 'Initialized' && value === 'True');
  if (gates.RestartAllContainersOnContainerExits && wasInitialized) return condition('Initialized', 'True', generation);
  const message = join(
    list('containers with unknown status', unknown),
    list('containers with incomplete status', incomplete),
  );
  return condition('Initialized', 'False', generation, 'ContainersNotInitialized', message);
}

/** Returns the condition ContainersReady. Upstream: GenerateContainersReadyCondition. */
export function containersReadyCondition(input: ConditionInput): PodCondition {
  const { pod, status, phase } = input;
  const generation = generationOf(input);
  const statuses = allStatuses(status);
  if (!statuses) return condition('ContainersReady', 'False', generation, 'UnknownContainerStatuses');
  const judged = [...(pod.spec.initContainers ?? []).filter(isRestartableInitContainer), ...pod.spec.containers];
  const unknown = judged.filter((container) => !find(statuses, container)).map(({ name }) => name);
  const unready = judged.filter((container) => find(statuses, container)?.ready === false).map(({ name }) => name);
  if (phase === 'Succeeded' && unknown.length === 0)
    return condition('ContainersReady', 'False', generation, 'PodCompleted');
  if (phase === 'Failed') return condition('ContainersReady', 'False', generation, 'PodFailed');
  if (unknown.length === 0 && unready.length === 0) return condition('ContainersReady', 'True', generation);
  const message = join(
    list('containers with unknown status', unknown),
    list('containers with unready status', unready),
  );
  return condition('ContainersReady', 'False', generation, 'ContainersNotReady', message);
}

/**
 * Returns the condition Ready. Upstream: GeneratePodReadyCondition.
 * @param conditions the conditions in which the readiness gates are looked up
 * @param ofContainers computes ContainersReady as the release does
 */
export function podReadyCondition(
  input: ConditionInput,
  conditions: readonly PodCondition[],
  ofContainers: (input: ConditionInput) => PodCondition = containersReadyCondition,
): PodCondition {
  const containersReady = ofContainers(input);
  if (containersReady.status !== 'True') return { ...containersReady, type: 'Ready' };
  const missing: string[] = [];
  for (const { conditionType } of input.pod.spec.readinessGates ?? []) {
    const found = conditions.find(({ type }) => type === conditionType);
    if (!found) missing.push(`corresponding condition of pod readiness gate ${goQuote(conditionType)} does not exist.`);
    else if (found.status !== 'True') {
      missing.push(`the status of pod readiness gate ${goQuote(conditionType)} is not "True", but ${found.status}`);
    }
  }
  if (missing.length > 0)
    return condition('Ready', 'False', generationOf(input), 'ReadinessGatesNotReady', missing.join(', '));
  return condition('Ready', 'True', generationOf(input));
}

/** Returns the condition PodReadyToStartContainers. Upstream: GeneratePodReadyToStartContainersCondition. */
export const podReadyToStartContainersCondition = (input: ConditionInput, sandboxChanged: boolean): PodCondition =>
  condition('PodReadyToStartContainers', sandboxChanged ? 'False' : 'True', generationOf(input));

/** Returns the condition PodScheduled. Upstream: GeneratePodScheduledCondition. */
export const podScheduledCondition = (input: ConditionInput): PodCondition =>
  condition('PodScheduled', 'True', generationOf(input));

/** Returns the condition AllContainersRestarting. Upstream: GenerateAllContainersRestartingCondition. */
export function allContainersRestartingCondition(
  input: ConditionInput,
  wanted: boolean,
  anyRuntimeStatus: boolean,
): PodCondition {
  if (input.phase === 'Succeeded') return condition(allContainersRestarting, 'False', undefined, 'PodCompleted');
  if (input.phase === 'Failed') return condition(allContainersRestarting, 'False', undefined, 'PodFailed');
  if (!wanted || !anyRuntimeStatus) return condition(allContainersRestarting, 'False', undefined);
  return condition(
    allContainersRestarting,
    'True',
    undefined,
    'RestartAllContainersStarted',
    'container exited with restart policy rule',
  );
}
