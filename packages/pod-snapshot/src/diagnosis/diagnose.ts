/**
 * Diagnoses a pod of any cluster from kubectl's output about it: cause, evidence, what happens next, and what to do.
 * Uses only the snapshot and facts about the cluster. If they don't name a cause, the diagnosis says so.
 */
import type { Instant } from '@podscope/trace';
import type { Diagnosis } from '@podscope/trace/explain';
import type { PodSnapshot } from '../pod-snapshot.ts';
import { configurationFinding } from './configuration.ts';
import { exitFinding } from './exits.ts';
import { hookFinding, preStopFinding } from './hooks.ts';
import { imageFinding } from './images/images.ts';
import { deletionFindings } from './lifecycle/deletion.ts';
import { deadlineFindings, evictionFindings } from './lifecycle/eviction.ts';
import { nodeFindings } from './lifecycle/node-loss.ts';
import { refusalFindings } from './lifecycle/refusal.ts';
import { resizeFindings } from './lifecycle/resize.ts';
import { sandboxFindings } from './lifecycle/sandbox.ts';
import { companionFindings, gateFindings, startingFindings } from './lifecycle/starting.ts';
import { childMemoryFinding, memoryFinding } from './memory.ts';
import { withAftercare } from './owner/aftercare.ts';
import {
  type ClusterFacts,
  type ContainerCase,
  type ContainerMatcher,
  type Finding,
  type Matcher,
  type PodCase,
  podCaseOf,
} from './pod-case.ts';
import { probeFinding } from './probes/probes.ts';
import { schedulingFindings } from './scheduling/scheduling.ts';
import { volumeFindings } from './volumes/volumes.ts';
import { workerFinding } from './workers.ts';

/** The matchers of causes that concern the pod as a whole. The search ends with the first one that finds a cause. */
const decisive: readonly Matcher[] = [
  deletionFindings,
  refusalFindings,
  evictionFindings,
  deadlineFindings,
  schedulingFindings,
  nodeFindings,
  volumeFindings,
  sandboxFindings,
];

/** The matchers of causes in a container, in the order in which they are tried. */
const ofContainer: readonly ContainerMatcher[] = [
  configurationFinding,
  imageFinding,
  hookFinding,
  memoryFinding,
  childMemoryFinding,
  workerFinding,
  probeFinding,
  exitFinding,
  preStopFinding,
];

/** The matchers whose cause may be in the container's log. */
const ofLog: ReadonlySet<ContainerMatcher> = new Set([
  hookFinding,
  childMemoryFinding,
  workerFinding,
  probeFinding,
  exitFinding,
]);

/** Returns whether the finding concerns the container's current or previous instance. */
const logOf = ({ ended, runningSince }: ContainerCase): 'current' | 'previous' =>
  ended && !ended.isCurrent && runningSince === undefined ? 'previous' : 'current';

/**
 * Returns true if the exit of a container has no meaning: the pod has succeeded, or the container is a sidecar that the
 * kubelet ended after another container had failed.
 */
function isEndedWithPod({ pod, containers }: PodCase, { role }: ContainerCase): boolean {
  const { phase } = pod.status ?? {};
  return (
    phase === 'Succeeded' ||
    (phase === 'Failed' &&
      role === 'sidecar' &&
      containers.some((each) => each.role !== 'sidecar' && each.ended !== undefined && each.ended.exitCode !== 0))
  );
}

function containerFindings(it: PodCase): readonly Finding[] {
  const found: Finding[] = [];
  for (const container of it.containers.filter((each) => !isEndedWithPod(it, each)))
    for (const match of ofContainer) {
      const finding = match(it, container);
      if (!finding) continue;
      found.push(ofLog.has(match) ? { ...finding, log: logOf(container) } : finding);
      break;
    }
  return found;
}

const weight = { error: 0, waiting: 1, info: 2 } as const;

/** Sorts findings by severity. A failing probe comes last, because it is often the result of another failure. */
const rankOf = ({ severity, reason }: Finding): number =>
  weight[severity] + (reason === 'ContainersNotReady' ? 0.5 : 0);

function findingsOf(it: PodCase): readonly Finding[] {
  for (const match of decisive) {
    const found = match(it);
    if (found.length > 0) return found;
  }
  const containers = containerFindings(it).toSorted((a, b) => rankOf(a) - rankOf(b));
  const around = [...resizeFindings(it), ...gateFindings(it)];
  const found = [...containers, ...around];
  if (found.length > 0) return found;
  const companions = companionFindings(it);
  return companions.length > 0 ? companions : startingFindings(it);
}

/** Reasons that show that a component other than the kubelet decides what happens next. */
const elsewhere = new Set([
  'FailedMount',
  'FailedAttachVolume',
  'FailedMapVolume',
  'FailedCreatePodSandBox',
  'NetworkNotReady',
  'NodeNotReady',
  'NotReady',
  'PodResizeInProgress',
  'PodResizePending',
  'ReadinessGatesNotReady',
]);

/** Returns true if a simulated kubelet can predict what happens next. */
function isKubelets(it: PodCase, { origin, reason, container, severity }: Finding): boolean {
  if (origin === 'scheduler' || origin === 'storage' || elsewhere.has(reason)) return false;
  if (reason === 'Terminating') return origin === 'program' || severity === 'waiting';
  if (origin === 'controller') return false;
  // Excluded, because the simulated kubelet doesn't continue the probes of sidecars.
  return !(reason === 'Unhealthy' && it.containers.some(({ name, role }) => name === container && role === 'sidecar'));
}

export interface PodDiagnosis {
  /** The problems, the most important first; empty for a healthy pod. */
  readonly diagnoses: readonly Diagnosis[];
  /** Whether the kubelet alone decides what happens next. */
  readonly isKubelets: boolean;
}

/**
 * Returns the problems that prevent a pod from working, with evidence and remedies.
 * @param cluster facts about the cluster besides the pod and its events
 * @param at when the snapshot was taken, if that is later than every time in it
 */
export function diagnoseSnapshot(snapshot: PodSnapshot, cluster?: ClusterFacts, at?: Instant): PodDiagnosis {
  const it = podCaseOf(snapshot, cluster, at);
  const findings = findingsOf(it).map((finding) => withAftercare(it, finding));
  return {
    diagnoses: findings.map(({ said, ...rest }) => ({ ...rest, ...(said ? { said } : {}) })),
    isKubelets: findings.every((finding) => isKubelets(it, finding)),
  };
}
