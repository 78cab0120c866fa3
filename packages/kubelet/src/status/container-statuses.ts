/**
 * Generates the API's container statuses from the runtime's. Upstream: convertToAPIContainerStatuses
 * (pkg/kubelet/kubelet_pods.go, v1.36).
 */
import {
  type Container,
  type ContainerState,
  type ContainerStatus,
  type EphemeralContainer,
  isRestartableInitContainer,
  type Pod,
  type VolumeMount,
} from '@podscope/k8s';
import {
  findContainerStatusByName,
  formatContainerID,
  type PodStatus,
  resolveRecursiveReadOnly,
  type Status,
  shouldContainerBeRestarted,
} from '@podscope/kuberuntime';
import { formatTime } from '@podscope/trace';
import type { FeatureGates } from '../features.ts';
import type { ReasonLookup } from '../sync-pod/reason-cache.ts';
import { containerStatusResources } from './container-resources.ts';
import { restartingAllContainersReason } from './restart-all-containers.ts';

const containerStatusUnknown = 'ContainerStatusUnknown';
const unknownExitCode = 137;

/** The differences between releases in the status of a container. */
export interface ContainerStatusProfile {
  /** Returns the state of a container that was created but not started. */
  readonly created: (runtime: Status) => ContainerState;
  /**
   * Returns how to interpret a container that was running and is missing in the runtime: ignore it, count it as ended,
   * or count it as restarted.
   */
  readonly lostContainer: (pod: Pod) => 'nothing' | 'ended' | 'restarted';
  /** Whether a missing init container counts as completed once a regular container was created. */
  readonly lostInitContainerIsDone: boolean;
}

/** The rules of v1.36. Upstream: convertContainerStatus, convertToAPIContainerStatuses (v1.36). */
export const containerStatusV136: ContainerStatusProfile = {
  created: () => ({ waiting: {} }),
  // While the pod isn't being deleted, a missing container was restarted.
  lostContainer: ({ metadata }) => (metadata.deletionTimestamp === undefined ? 'restarted' : 'ended'),
  lostInitContainerIsDone: true,
};

export interface ContainerStatusInput {
  readonly profile: ContainerStatusProfile;
  readonly pod: Pod;
  readonly podStatus: PodStatus;
  readonly containers: readonly (Container | EphemeralContainer)[];
  /** The previous API statuses of the containers of this kind. */
  readonly previous: readonly ContainerStatus[];
  readonly kind: 'container' | 'init' | 'ephemeral';
  /** True while all containers are restarted in place. */
  readonly restartingAll: boolean;
  readonly reasons: ReasonLookup;
  readonly gates: FeatureGates;
  /** Whether the pod's runtime handler supports recursively read-only mounts. Default: no. */
  readonly supportsRecursiveReadOnly?: boolean;
}

interface DraftStatus {
  name: string;
  state: ContainerState;
  lastState: ContainerState;
  ready: boolean;
  restartCount: number;
  image: string;
  imageID: string;
  containerID?: string;
  started?: boolean;
  allocatedResources?: ContainerStatus['allocatedResources'];
  resources?: ContainerStatus['resources'];
  volumeMounts?: ContainerStatus['volumeMounts'];
  user?: ContainerStatus['user'];
  stopSignal?: string;
}

/** Returns the statuses of the containers of one kind: init containers in the order of the spec, others by name. */
export function convertToAPIContainerStatuses(input: ContainerStatusInput): readonly ContainerStatus[] {
  const { containers, podStatus, previous, kind } = input;
  const old = new Map(previous.map((status) => [status.name, status]));
  const drafts = new Map<string, DraftStatus>();
  for (const container of containers)
    drafts.set(container.name, startingValue(input, container, old.get(container.name)));
  for (const draft of drafts.values()) {
    if (!findContainerStatusByName(podStatus, draft.name)) applyMissing(input, draft, old.get(draft.name));
  }
  applyRuntimeStatuses(input, drafts, old);
  for (const container of containers) {
    const draft = drafts.get(container.name);
    if (draft) applyStartFailure(input, container, draft);
  }
  const statuses = [...drafts.values()];
  return kind === 'init' ? statuses : statuses.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

const defaultReason = ({ pod }: ContainerStatusInput): string =>
  (pod.spec.initContainers?.length ?? 0) > 0 ? 'PodInitializing' : 'ContainerCreating';

function startingValue(
  input: ContainerStatusInput,
  container: Container,
  old: ContainerStatus | undefined,
): DraftStatus {
  if (old?.state?.terminated) return { ...old, state: old.state, lastState: old.lastState ?? {} };
  const volumeMounts = volumeMountStatuses(input, container);
  return {
    name: container.name,
    state: { waiting: { reason: defaultReason(input) } },
    lastState: old?.lastState ?? {},
    ready: false,
    restartCount: old?.restartCount ?? 0,
    image: container.image ?? '',
    imageID: '',
    ...(volumeMounts ? { volumeMounts } : {}),
  };
}

function volumeMountStatuses(
  { gates, supportsRecursiveReadOnly = false }: ContainerStatusInput,
  { volumeMounts }: Container,
): ContainerStatus['volumeMounts'] {
  if (!gates.RecursiveReadOnlyMounts || !volumeMounts || volumeMounts.length === 0) return undefined;
  return volumeMounts.map((mount) => ({
    name: mount.name,
    mountPath: mount.mountPath,
    ...(mount.readOnly
      ? { readOnly: true, recursiveReadOnly: isRecursive(mount, supportsRecursiveReadOnly) ? 'Enabled' : 'Disabled' }
      : {}),
  }));
}

/** Returns false for a mode that can't be resolved; such a container doesn't start. */
function isRecursive(mount: VolumeMount, supported: boolean): boolean {
  try {
    return resolveRecursiveReadOnly(mount, supported);
  } catch {
    return false;
  }
}

/** Sets the status of a container that the previous status has and the runtime doesn't. */
function applyMissing(input: ContainerStatusInput, draft: DraftStatus, old: ContainerStatus | undefined): void {
  if (!old) return;
  if (input.restartingAll && !old.state?.waiting) {
    const message = 'The container is removed because RestartAllContainers in place';
    draft.state = { waiting: { reason: restartingAllContainersReason, message } };
    draft.lastState = {
      terminated: {
        exitCode: unknownExitCode,
        reason: restartingAllContainersReason,
        message,
        startedAt: null,
        finishedAt: null,
      },
    };
    draft.restartCount = old.restartCount + 1;
    return;
  }
  const meaning = input.profile.lostContainer(input.pod);
  if (
    meaning === 'nothing' ||
    !old.state?.running ||
    draft.state.waiting?.reason !== defaultReason(input) ||
    draft.lastState.terminated
  )
    return;
  draft.lastState = {
    terminated: {
      exitCode: unknownExitCode,
      reason: containerStatusUnknown,
      message: 'The container could not be located when the pod was deleted.  The container used to be Running',
      startedAt: null,
      finishedAt: null,
    },
  };
  if (meaning === 'restarted') draft.restartCount += 1;
}

/** Uses the newest runtime status as the state, and the next older one as the last state. */
function applyRuntimeStatuses(
  input: ContainerStatusInput,
  drafts: Map<string, DraftStatus>,
  old: ReadonlyMap<string, ContainerStatus>,
): void {
  const containers = new Map(input.containers.map((container) => [container.name, container]));
  const seen = new Map<string, number>();
  for (const runtime of input.podStatus.containerStatuses.toSorted((a, b) => b.createdAt - a.createdAt)) {
    const container = containers.get(runtime.name);
    const count = seen.get(runtime.name) ?? 0;
    if (!container || count >= 2) continue;
    const before = old.get(runtime.name);
    const status = convertContainerStatus(input, runtime, before);
    if (input.gates.InPlacePodVerticalScaling) {
      status.resources = containerStatusResources(container, runtime, status, before);
      const { requests } = container.resources ?? {};
      if (requests && Object.keys(requests).length > 0) status.allocatedResources = requests;
    }
    const newest = drafts.get(runtime.name);
    if (count === 0) drafts.set(runtime.name, inheritFromRestart(input, status, before));
    else if (newest) newest.lastState = status.state;
    seen.set(runtime.name, count + 1);
  }
}

/**
 * Sets the last state and the restart count of the newest instance from the previous status. If the runtime has an
 * older instance, its state later replaces the last state.
 */
function inheritFromRestart(
  input: ContainerStatusInput,
  status: DraftStatus,
  old: ContainerStatus | undefined,
): DraftStatus {
  // The runtime doesn't know the names of volumes, so only an old status has the volume mounts.
  if (old?.volumeMounts) status.volumeMounts = old.volumeMounts;
  if (!input.gates.RestartAllContainersOnContainerExits || !old) return status;
  status.lastState =
    old.containerID !== status.containerID && old.state?.terminated
      ? { terminated: old.state.terminated }
      : (old.lastState ?? {});
  status.restartCount = Math.max(status.restartCount, old.restartCount);
  return status;
}

/** Returns the terminated state of an exited container. */
export const terminatedState = (runtime: Status): ContainerState => ({
  terminated: {
    exitCode: runtime.exitCode,
    ...(runtime.reason ? { reason: runtime.reason } : {}),
    ...(runtime.message ? { message: runtime.message } : {}),
    startedAt: runtime.startedAt === undefined ? null : formatTime(runtime.startedAt),
    finishedAt: runtime.finishedAt === undefined ? null : formatTime(runtime.finishedAt),
    containerID: formatContainerID(runtime.id),
  },
});

/** Converts a runtime status to an API status. Upstream: convertContainerStatus. */
function convertContainerStatus(
  input: ContainerStatusInput,
  runtime: Status,
  old: ContainerStatus | undefined,
): DraftStatus {
  const status: DraftStatus = {
    name: runtime.name,
    state: {},
    lastState: {},
    ready: false,
    restartCount: runtime.restartCount,
    image: runtime.image,
    // The field shows the reference by which the runtime knows the image, for historical reasons.
    imageID: runtime.imageRef,
    containerID: formatContainerID(runtime.id),
    ...(runtime.user ? { user: runtime.user } : {}),
    ...(runtime.stopSignal ? { stopSignal: runtime.stopSignal } : {}),
  };
  switch (runtime.state) {
    case 'running':
      status.state = { running: { startedAt: runtime.startedAt === undefined ? null : formatTime(runtime.startedAt) } };
      // `started` keeps the result of the last startup probe until the next result, even across a restart of the
      // kubelet.
      if (!input.gates.ChangeContainerStatusOnKubeletRestart && old?.started !== undefined)
        status.started = old.started;
      if (
        input.gates.RestartAllContainersOnContainerExits &&
        old?.state?.terminated &&
        old.restartCount >= runtime.restartCount
      ) {
        status.restartCount = old.restartCount + 1;
      }
      break;
    case 'exited':
      status.state = terminatedState(runtime);
      break;
    case 'unknown':
      if (old?.state?.running) {
        status.state = {
          terminated: {
            exitCode: unknownExitCode,
            reason: input.restartingAll ? restartingAllContainersReason : containerStatusUnknown,
            message: 'The container could not be located when the pod was terminated',
            startedAt: null,
            finishedAt: null,
          },
        };
        status.restartCount = old.restartCount + 1;
      } else {
        status.state = { waiting: {} };
      }
      break;
    case 'created':
      status.state = input.profile.created(runtime);
      break;
  }
  return status;
}

/** Sets the state of a container to waiting if its start failed, with the reason of the failure. */
function applyStartFailure(input: ContainerStatusInput, container: Container, draft: DraftStatus): void {
  const { pod, podStatus, profile, reasons, gates, kind } = input;
  if (kind === 'init') {
    const status = findContainerStatusByName(podStatus, container.name);
    if (status?.state === 'exited' && status.exitCode === 0) return;
    if (
      profile.lostInitContainerIsDone &&
      !status &&
      !isRestartableInitContainer(container) &&
      draft.state.waiting &&
      anyRegularContainerCreated(pod, podStatus)
    ) {
      draft.state = {
        terminated: {
          exitCode: 0,
          reason: 'Completed',
          message:
            'Unable to get init container status from container runtime and pod has been initialized, ' +
            'treat it as exited normally',
          startedAt: null,
          finishedAt: null,
        },
      };
      return;
    }
  }
  if (!shouldContainerBeRestarted(container, pod, podStatus, gates)) return;
  const reason = reasons.get(pod.metadata.uid, container.name);
  if (!reason) return;
  if (draft.state.terminated) draft.lastState = draft.state;
  draft.state = {
    waiting: {
      ...(reason.error ? { reason: reason.error } : {}),
      ...(reason.message ? { message: reason.message } : {}),
    },
  };
}

/** True when the runtime has or had a regular container of the pod. Upstream: HasAnyRegularContainerCreated. */
const anyRegularContainerCreated = (pod: Pod, podStatus: PodStatus): boolean =>
  pod.spec.containers.some(({ name }) => {
    const state = findContainerStatusByName(podStatus, name)?.state;
    return state !== undefined && state !== 'unknown';
  });
