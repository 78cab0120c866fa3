/**
 * Builds the points that engine, debugger and page use, from the tables of steps, their English texts and their
 * numbers.
 */
import type { Point, PointKind } from '@podscope/trace';
import { stepIDs } from './flow-tree.ts';
import type { Release, Step, Steps } from './level.ts';
import { criCalls } from './levels/cri.ts';
import { cniCommands, dockerCalls } from './levels/docker.ts';
import {
  kubeletLoops,
  kubeletLoopsV120,
  kubeletLoopsV136,
  plegEvents,
  podUpdates,
  podUpdatesV120,
  podWorker,
  podWorkerCalls,
  podWorkerV120,
  syncLoopHandlers,
} from './levels/kubelet.ts';
import * as kubeletSteps from './levels/kubelet-sync-pod.ts';
import * as kuberuntime from './levels/kuberuntime.ts';
import * as sandbox from './levels/sandbox.ts';
import { stepText } from './texts/catalogue.ts';

/** The points of a table of steps, by the names of the steps. */
export type PointsOf<S extends Steps> = { readonly [Name in keyof S]: Point & { readonly id: S[Name]['id'] } };

type PointStep = Step & { readonly kind: PointKind };

/** Returns the point of a step. Its title and description are the English ones. */
function pointOf({ id, kind, upstream }: PointStep, number?: number): Point {
  const { title, description } = stepText(id, 'en') ?? { title: id, description: '' };
  return { id, kind, title, description, upstream, ...(number === undefined ? {} : { step: number }) };
}

function points<S extends Readonly<Record<string, PointStep>>>(steps: S, numbered: boolean): PointsOf<S> {
  const entries = Object.entries(steps).map(([name, step], index) => [
    name,
    pointOf(step, numbered ? index + 1 : undefined),
  ]);
  return Object.fromEntries(entries) as PointsOf<S>;
}

const numbered = <S extends Readonly<Record<string, PointStep>>>(steps: S): PointsOf<S> => points(steps, true);
const unnumbered = <S extends Readonly<Record<string, PointStep>>>(steps: S): PointsOf<S> => points(steps, false);

/** The steps of the kubelet's SyncPod, v1.36. */
export const kubeletSyncPodPoints = numbered(kubeletSteps.kubeletSyncPodSteps);

/** The steps of the kubelet's syncPod, v1.20. */
export const kubeletSyncPodPointsV120 = numbered(kubeletSteps.kubeletSyncPodStepsV120);

/** The steps of the kubelet's SyncPod that both releases have. */
export type CommonKubeletSteps = Readonly<
  Record<keyof typeof kubeletSyncPodPoints & keyof typeof kubeletSyncPodPointsV120, Point>
>;

export const syncTerminatingPodPoints = numbered(kubeletSteps.syncTerminatingPodSteps);
export const syncTerminatedPodPoints = numbered(kubeletSteps.syncTerminatedPodSteps);

/** The loops, handlers and pod workers of the kubelet in both releases. */
export const kubeletPoints = unnumbered({
  ...kubeletLoops,
  ...kubeletLoopsV136,
  ...kubeletLoopsV120,
  ...syncLoopHandlers,
  ...podUpdates,
  ...podUpdatesV120,
  ...plegEvents,
  ...podWorker,
  ...podWorkerV120,
  ...podWorkerCalls,
});

/** The steps of the runtime manager's SyncPod, v1.36. */
export const syncPodPoints = numbered(kuberuntime.syncPodSteps);

/**
 * The steps of the runtime manager's SyncPod, v1.20. If a feature gate is off, its step is absent and the other steps
 * keep their numbers.
 */
export const syncPodPointsV120 = numbered(kuberuntime.syncPodStepsV120);

/** The runtime manager's entry points and functions. */
export const kuberuntimePoints = unnumbered({
  ...kuberuntime.runtimeManagerEntries,
  ...kuberuntime.runtimeManagerFunctions,
});

/** The steps of RunPodSandbox in dockershim. */
export const runPodSandboxPoints = numbered(sandbox.runPodSandboxSteps);

/** The steps of RunPodSandbox in the simulated runtime. */
export const simulatedRunPodSandboxPoints = numbered(sandbox.simulatedRunPodSandboxSteps);

export const engineProbePoints = unnumbered(sandbox.engineProbes);
export const criPoints = unnumbered(criCalls);
export const dockerPoints = unnumbered(dockerCalls);
export const cniPoints = unnumbered(cniCommands);

/** The CRI calls as the kubelet of v1.20 makes them: with runtime.v1alpha2. */
const criPointsV120 = Object.fromEntries(
  Object.entries(criPoints).map(([name, point]) => [
    name,
    { ...point, upstream: point.upstream?.replace('/runtime.v1.', '/runtime.v1alpha2.') },
  ]),
) as typeof criPoints;

/** Returns the CRI calls of a release. The releases differ in `upstream`, the path of the method. */
export const criPointsOf = (release: Release): typeof criPoints => (release === 'v1.20' ? criPointsV120 : criPoints);

/** Returns the numbered steps of the runtime manager's SyncPod that run with these feature gates. */
export function syncPodPointsOf(release: Release, gates: Readonly<Record<string, boolean>> = {}): readonly Point[] {
  const [steps, table]: readonly [Steps, Readonly<Record<string, Point>>] =
    release === 'v1.36' ? [kuberuntime.syncPodSteps, syncPodPoints] : [kuberuntime.syncPodStepsV120, syncPodPointsV120];
  return Object.entries(table).flatMap(([name, point]) => {
    const gate = steps[name]?.gate;
    return gate === undefined || gates[gate] === true ? [point] : [];
  });
}

/** Returns the kubelet's points in a release: loops, handlers, pod workers and the steps of its sync functions. */
export function kubeletPointsOf(release: Release): readonly Point[] {
  const ids = stepIDs({ release });
  const ofRelease =
    release === 'v1.36'
      ? [kubeletSyncPodPoints, syncTerminatingPodPoints, syncTerminatedPodPoints]
      : [kubeletSyncPodPointsV120];
  return [kubeletPoints, ...ofRelease].flatMap((table) => Object.values<Point>(table)).filter(({ id }) => ids.has(id));
}
