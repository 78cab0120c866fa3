/** Replays recorded inputs of computePodActions and formats the result as the recording does. */
import type { Context } from '@podscope/trace';
import type { ComputeEnvironment } from '../compute-pod-actions/environment.ts';
import type { ContainerToUpdate, PodActions } from '../compute-pod-actions/pod-actions.ts';
import { runtimeGates } from '../profiles/gates.ts';
import { ActuatedResources } from '../resize/actuated-resources.ts';
import {
  type ContainerID,
  formatContainerID,
  type PodStatus,
  type ProbeResult,
  type ProbeResults,
} from '../runtime.ts';
import type { Profile } from '../runtime-dependencies.ts';
import { podStatusOf } from './pod-status-vector.ts';
import type { ComputeVector } from './vectors.ts';

const probeResults = (results: Readonly<Record<string, ProbeResult>> | null): ProbeResults => {
  const byID = new Map(Object.entries(results ?? {}));
  return { get: (id: ContainerID) => byID.get(formatContainerID(id)) };
};

const updateOf = ({ id, container, desired, current }: ContainerToUpdate): unknown => ({
  id: formatContainerID(id),
  name: container.name,
  desired,
  current,
});

/** The inputs of a recorded call, in the engine's types. */
export interface PreparedCompute {
  readonly env: ComputeEnvironment;
  readonly podStatus: PodStatus;
  readonly run: (ctx: Context) => PodActions;
}

export function prepareCompute(vector: ComputeVector, profile: Profile): PreparedCompute {
  const { pod } = vector;
  const actuated = new ActuatedResources();
  for (const [name, resources] of Object.entries(vector.actuated?.containers ?? {}))
    actuated.setContainer(pod.metadata.uid, name, resources);
  if (vector.actuated?.pod) actuated.setPod(pod.metadata.uid, vector.actuated.pod);
  const env: ComputeEnvironment = {
    gates: runtimeGates(profile.gates, vector.gates),
    liveness: probeResults(vector.probes.liveness),
    startup: probeResults(vector.probes.startup),
    actuated,
    hashContainer: profile.hashContainer,
  };
  const podStatus = podStatusOf(vector.podStatus);
  const restartAll = vector.restartAllContainers ?? false;
  return { env, podStatus, run: (ctx) => profile.computePodActions(ctx, env, pod, podStatus, restartAll) };
}

/**
 * Formats pod actions as the recordings do. The result has only the keys of `like`, because each release has its own
 * keys.
 */
export function describePodActions(
  actions: PodActions,
  like: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const { containersToUpdate } = actions;
  const all: Record<string, unknown> = {
    killPod: actions.killPod,
    createSandbox: actions.createSandbox,
    sandboxID: actions.sandboxID,
    attempt: actions.attempt,
    nextInitContainerToStart: actions.nextInitContainerToStart?.name ?? null,
    initContainersToStart: actions.initContainersToStart,
    containersToStart: actions.containersToStart,
    ephemeralContainersToStart: actions.ephemeralContainersToStart,
    containersToKill: [...actions.containersToKill]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([id, { name, message, reason }]) => ({
        id,
        name,
        message,
        ...('initContainersToStart' in like ? { reason } : {}),
      })),
    containersToUpdate: containersToUpdate
      ? { cpu: containersToUpdate.cpu.map(updateOf), memory: containersToUpdate.memory.map(updateOf) }
      : null,
    updatePodResources: actions.updatePodResources,
    containersToReset: actions.containersToReset.map(({ id, container, kill }) => ({
      id: formatContainerID(id),
      name: container.name,
      kill,
    })),
    updatePodLevelResources: actions.updatePodLevelResources,
  };
  return Object.fromEntries(Object.keys(like).map((key) => [key, all[key]]));
}
