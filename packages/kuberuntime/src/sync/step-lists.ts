/** The steps of SyncPod, in order, with what happens between them: one list for each release. Upstream: SyncPod (v1.36, v1.20). */
import type { RuntimeGates } from '../gates.ts';
import { syncPodStepsV120, syncPodStepsV120Ungated, syncPodStepsV136 } from '../points.ts';
import { ensureImageVolumes } from './image-volumes.ts';
import type { PodSync, SyncPart, SyncStep } from './step.ts';
import {
  computeChanges,
  createSandbox,
  killContainers,
  killPod,
  onPodSandboxReady,
  prepareSandboxConfigV120,
  prepareSandboxConfigV136,
  pruneInitContainers,
  resizePod,
  startContainers,
  startEphemeralContainers,
  startInitContainers,
  startNextInitContainer,
} from './steps.ts';

const v136 = syncPodStepsV136;
const v120 = syncPodStepsV120;
const ungated = syncPodStepsV120Ungated;

/** The list that is run with these gates. */
export type StepsOf = (gates: RuntimeGates) => readonly (SyncStep | SyncPart)[];

const always = (): boolean => true;
const killsPod = ({ actions }: PodSync): boolean => actions.killPod;
const killsContainers = ({ actions }: PodSync): boolean => !actions.killPod && actions.containersToKill.size + actions.containersToReset.length > 0;
const createsSandbox = ({ actions }: PodSync): boolean => actions.createSandbox;
const startsEphemeral = ({ actions }: PodSync): boolean => actions.ephemeralContainersToStart.length > 0;
const startsInit = ({ actions }: PodSync): boolean => actions.initContainersToStart.length > 0;
const startsNextInit = ({ actions }: PodSync): boolean => actions.nextInitContainerToStart !== undefined;
const startsRegular = ({ actions }: PodSync): boolean => actions.containersToStart.length > 0;

const resizes = ({ actions }: PodSync): boolean => {
  const { containersToUpdate: updates, updatePodResources, updatePodLevelResources } = actions;
  return updates !== undefined && (updates.cpu.length + updates.memory.length > 0 || updatePodResources || updatePodLevelResources);
};

const mountsImages = (sync: PodSync): boolean => sync.parts.gates.ImageVolume && sync.pod.spec.volumes !== undefined;

/** The nine steps of v1.36. */
const nineSteps: readonly (SyncStep | SyncPart)[] = [
  { point: v136.computePodActions, applies: always, run: computeChanges },
  { point: v136.killPod, applies: killsPod, run: killPod },
  { point: v136.killContainers, applies: killsContainers, run: killContainers },
  { run: pruneInitContainers },
  { point: v136.createPodSandbox, applies: createsSandbox, attributes: ({ actions }) => ({ attempt: actions.attempt }), run: createSandbox },
  { point: v136.onPodSandboxReady, applies: createsSandbox, run: onPodSandboxReady },
  { run: prepareSandboxConfigV136 },
  { run: (ctx, sync) => (mountsImages(sync) ? ensureImageVolumes(ctx, sync) : undefined) },
  { point: v136.startEphemeralContainers, applies: startsEphemeral, run: startEphemeralContainers },
  { point: v136.startInitContainers, applies: startsInit, run: startInitContainers },
  { point: v136.resizePodInPlace, applies: resizes, run: resizePod },
  { point: v136.startContainers, applies: startsRegular, run: startContainers },
];

/** What the steps of v1.20 begin with. */
const untilSandboxConfig: readonly (SyncStep | SyncPart)[] = [
  { point: v120.computePodActions, applies: always, run: computeChanges },
  { point: v120.killPod, applies: killsPod, run: killPod },
  { point: v120.killContainers, applies: killsContainers, run: killContainers },
  { run: pruneInitContainers },
  { point: v120.createPodSandbox, applies: createsSandbox, attributes: ({ actions }) => ({ attempt: actions.attempt }), run: createSandbox },
  { run: prepareSandboxConfigV120 },
];

/** The seven steps of v1.20. */
const sevenSteps: readonly (SyncStep | SyncPart)[] = [
  ...untilSandboxConfig,
  { point: v120.startEphemeralContainers, applies: startsEphemeral, run: startEphemeralContainers },
  { point: v120.startInitContainers, applies: startsNextInit, run: startNextInitContainer },
  { point: v120.startContainers, applies: startsRegular, run: startContainers },
];

/** The six without the gate EphemeralContainers. */
const sixSteps: readonly (SyncStep | SyncPart)[] = [
  ...untilSandboxConfig,
  { point: ungated.startInitContainers, applies: startsNextInit, run: startNextInitContainer },
  { point: ungated.startContainers, applies: startsRegular, run: startContainers },
];

export const syncStepsV136: StepsOf = () => nineSteps;
export const syncStepsV120: StepsOf = ({ EphemeralContainers }) => (EphemeralContainers ? sevenSteps : sixSteps);
