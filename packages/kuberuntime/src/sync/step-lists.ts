/**
 * Maps each step of SyncPod to its function. The flow package defines the order and the numbers of the steps. Upstream:
 * kuberuntime_manager.go SyncPod (v1.36, v1.20).
 */
import { type Release, syncPodPoints, syncPodPointsOf } from '@podscope/flow';
import type { Point } from '@podscope/trace';
import type { PodSync, StepAction, StepsOf } from '../runtime-dependencies.ts';
import { ensureImageVolumes } from './image-volumes.ts';
import {
  computeChanges,
  createSandbox,
  killContainers,
  killPod,
  onPodSandboxReady,
  prepareSandboxConfigV136,
  pruneInitContainers,
  resizePod,
  startContainers,
  startEphemeralContainers,
  startInitContainers,
} from './steps.ts';

const always = (): boolean => true;
const killsPod = ({ actions }: PodSync): boolean => actions.killPod;
const killsContainers = ({ actions }: PodSync): boolean =>
  !actions.killPod && actions.containersToKill.size + actions.containersToReset.length > 0;
const createsSandbox = ({ actions }: PodSync): boolean => actions.createSandbox;
const startsEphemeral = ({ actions }: PodSync): boolean => actions.ephemeralContainersToStart.length > 0;
const startsInit = ({ actions }: PodSync): boolean => actions.initContainersToStart.length > 0;
const startsRegular = ({ actions }: PodSync): boolean => actions.containersToStart.length > 0;

const resizes = ({ actions }: PodSync): boolean => {
  const { containersToUpdate: updates, updatePodResources, updatePodLevelResources } = actions;
  return (
    updates !== undefined &&
    (updates.cpu.length + updates.memory.length > 0 || updatePodResources || updatePodLevelResources)
  );
};

const mountsImages = (sync: PodSync): boolean =>
  sync.dependencies.gates.ImageVolume && sync.pod.spec.volumes !== undefined;

export const common = {
  computePodActions: { applies: always, run: computeChanges },
  killPod: { applies: killsPod, run: killPod },
  killContainers: { applies: killsContainers, run: killContainers, after: [pruneInitContainers] },
  createPodSandbox: {
    applies: createsSandbox,
    attributes: ({ actions }: PodSync) => ({ attempt: actions.attempt }),
    run: createSandbox,
  },
  startEphemeralContainers: { applies: startsEphemeral, run: startEphemeralContainers },
  startContainers: { applies: startsRegular, run: startContainers },
} as const satisfies Readonly<Record<string, StepAction>>;

const actionsV136: Readonly<Record<keyof typeof syncPodPoints, StepAction>> = {
  ...common,
  onPodSandboxReady: {
    applies: createsSandbox,
    run: onPodSandboxReady,
    after: [prepareSandboxConfigV136, (ctx, sync) => (mountsImages(sync) ? ensureImageVolumes(ctx, sync) : undefined)],
  },
  startInitContainers: { applies: startsInit, run: startInitContainers },
  resizePodInPlace: { applies: resizes, run: resizePod },
};

/** Pairs each point of a release with the function of its step, in the order of the points. */
export function steps<Name extends string>(
  release: Release,
  points: Readonly<Record<Name, Point>>,
  actions: Readonly<Record<Name, StepAction>>,
): StepsOf {
  return (gates) => {
    const ids = new Set(syncPodPointsOf(release, gates).map(({ id }) => id));
    const names = Object.keys(points) as Name[];
    return names.map((name) => ({ point: points[name], ...actions[name] })).filter(({ point }) => ids.has(point.id));
  };
}

export const syncStepsV136 = steps('v1.36', syncPodPoints, actionsV136);
