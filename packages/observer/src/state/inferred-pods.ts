/**
 * Infers pods and their statuses from CRI calls, for a node whose `/pods` isn't known. Readiness, back-offs and
 * messages of the kubelet aren't visible in calls, so a running container counts as ready.
 */
import {
  type Container,
  type ContainerState,
  type ContainerStatus,
  isRestartableInitContainer,
  type Pod,
  type PodStatus,
} from '@podscope/k8s';
import { featureGates, getPhase } from '@podscope/kubelet';
import { criTimeAt } from '@podscope/trace';
import type { CallMessage } from '../inputs.ts';
import { numberAt, objectAt, textAt } from './fields.ts';
import type { KnownObject, PodName } from './registry.ts';

/** The fields of a pod's spec that calls don't show, but that the exporter of the calls may know. */
export interface SpecHints {
  readonly restartPolicy?: Pod['spec']['restartPolicy'] | undefined;
  readonly nodeName?: string | undefined;
  readonly container?: string | undefined;
  readonly type?: ContainerType | undefined;
}

type ContainerType = 'init' | 'sidecar' | 'container';

/** A call that ended, with the pod and the container that it affects. */
export interface AnsweredCall {
  readonly method: string;
  readonly request: CallMessage | undefined;
  /** Undefined if the call failed. */
  readonly response: CallMessage | undefined;
  readonly end: number;
  readonly pod: PodName;
  readonly container: Pick<KnownObject, 'name' | 'attempt'> | undefined;
  readonly hints?: SpecHints;
}

interface InferredContainer {
  type: ContainerType;
  image: string;
  attempt: number;
  id: string;
  state: ContainerState;
  lastState: ContainerState;
}

interface InferredPod {
  readonly name: PodName;
  readonly startTime: number;
  readonly sandboxes: Set<string>;
  readonly containers: Map<string, InferredContainer>;
  restartPolicy: Pod['spec']['restartPolicy'];
  nodeName: string | undefined;
  ip: string | undefined;
  isDeleted: boolean;
}

const gates = featureGates({});
/**
 * Returns the state of a container before its start. Upstream: convertToAPIContainerStatuses, defaultWaitingState
 * (v1.36).
 */
const pendingOf = (type: ContainerType): ContainerState => ({
  waiting: { reason: type === 'container' ? 'ContainerCreating' : 'PodInitializing' },
});

/** Returns an RFC 3339 time of seconds, in the form of the API. */
const timeText = (ms: number | undefined): string | undefined =>
  ms === undefined ? undefined : new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');

/** Returns the state that ContainerStatus or an item of ListContainers reports; undefined for an unknown one. */
function stateOf(status: CallMessage, type: ContainerType): ContainerState | undefined {
  const startedAt = timeText(criTimeAt(status, 'startedAt') ?? criTimeAt(status, 'createdAt'));
  const finishedAt = timeText(criTimeAt(status, 'finishedAt'));
  const reason = textAt(status, 'reason');
  switch (textAt(status, 'state')) {
    case 'CONTAINER_CREATED':
      return pendingOf(type);
    case 'CONTAINER_RUNNING':
      return { running: startedAt === undefined ? {} : { startedAt } };
    case 'CONTAINER_EXITED':
      return {
        terminated: {
          exitCode: numberAt(status, 'exitCode'),
          ...(reason === '' ? {} : { reason }),
          ...(startedAt === undefined ? {} : { startedAt }),
          ...(finishedAt === undefined ? {} : { finishedAt }),
          containerID: textAt(status, 'id'),
        },
      };
    default:
      return undefined;
  }
}

/**
 * Returns the fields of a pod's spec about one container: the named one, or the only one with the pulled image.
 * @param pulled the image of a PullImage call, which names no container
 */
export function specHints(pod: Pod | undefined, name: string | undefined, pulled?: string): SpecHints {
  if (!pod) return {};
  const { initContainers = [], containers, restartPolicy } = pod.spec;
  const all = [
    ...initContainers.map((each) => [each, isRestartableInitContainer(each) ? 'sidecar' : 'init'] as const),
    ...containers.map((each) => [each, 'container'] as const),
  ];
  const found = all.filter(([each]) => (pulled === undefined ? each.name === name : each.image === pulled));
  const [container, type] = (found.length === 1 ? found[0] : undefined) ?? [];
  return { restartPolicy, type, ...(pulled === undefined ? {} : { container: container?.name }) };
}

export class InferredPods {
  readonly #pods = new Map<string, InferredPod>();
  readonly #before = new Map<string, string>();

  /** Applies a call. Returns the pod that the call changes; undefined without a change. */
  apply(call: AnsweredCall): { readonly operation: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly pod: Pod } | undefined {
    const { uid } = call.pod;
    const known = this.#pods.get(uid);
    // Calls about a pod that is gone come from inspections that began before its end.
    if (known?.isDeleted && call.method !== 'RunPodSandbox') return undefined;
    if (!known && /^(Stop|Remove)/.test(call.method)) return undefined;
    const isNew = !known || known.isDeleted;
    const pod = isNew ? this.#new(call.pod, call.end) : known;
    pod.restartPolicy = call.hints?.restartPolicy ?? pod.restartPolicy;
    pod.nodeName = call.hints?.nodeName ?? pod.nodeName;
    if (call.response) this.#succeeded(pod, call, call.response);
    else this.#failed(pod, call);
    const object = objectOf(pod);
    const text = JSON.stringify(object);
    if (pod.isDeleted) this.#before.delete(uid);
    else {
      if (this.#before.get(uid) === text) return undefined;
      this.#before.set(uid, text);
    }
    return { operation: pod.isDeleted ? 'DELETED' : isNew ? 'ADDED' : 'MODIFIED', pod: object };
  }

  /**
   * Adds a pod before its first call, and returns it.
   * @param spec the spec that later calls show; its containers are in state `waiting`
   */
  begin(name: PodName, at: number, spec?: Pod['spec']): Pod {
    const pod = this.#new(name, at);
    if (!spec) return objectOf(pod);
    const { initContainers = [], containers, restartPolicy, nodeName } = spec;
    const add = (type: ContainerType, container: Container): void => {
      const { name: key, image = '' } = container;
      pod.containers.set(key, { type, image, attempt: 0, id: '', state: pendingOf(type), lastState: {} });
    };
    for (const each of initContainers) add(isRestartableInitContainer(each) ? 'sidecar' : 'init', each);
    for (const each of containers) add('container', each);
    pod.restartPolicy = restartPolicy;
    pod.nodeName = nodeName;
    return objectOf(pod);
  }

  #new(name: PodName, startTime: number): InferredPod {
    const pod: InferredPod = {
      name,
      startTime,
      sandboxes: new Set(),
      containers: new Map(),
      restartPolicy: undefined,
      nodeName: undefined,
      ip: undefined,
      isDeleted: false,
    };
    this.#pods.set(name.uid, pod);
    return pod;
  }

  /** Forgets a pod. */
  forget(uid: string): void {
    this.#pods.delete(uid);
    this.#before.delete(uid);
  }

  /** Returns the pods that exist. */
  current(): readonly Pod[] {
    return [...this.#pods.values()].filter(({ isDeleted }) => !isDeleted).map(objectOf);
  }

  #succeeded(pod: InferredPod, call: AnsweredCall, response: CallMessage): void {
    const { method, request } = call;
    switch (method) {
      case 'RunPodSandbox':
        pod.sandboxes.add(textAt(response, 'podSandboxId'));
        return;
      case 'RemovePodSandbox':
        pod.sandboxes.delete(textAt(request, 'podSandboxId'));
        pod.isDeleted = pod.sandboxes.size === 0;
        return;
      case 'PodSandboxStatus': {
        const status = objectAt(response, 'status');
        pod.sandboxes.add(textAt(status, 'id'));
        if (textAt(status, 'state') === 'SANDBOX_READY') pod.ip = textAt(status, 'network', 'ip') || pod.ip;
        return;
      }
      case 'CreateContainer': {
        const image =
          textAt(request, 'config', 'image', 'userSpecifiedImage') || textAt(request, 'config', 'image', 'image');
        this.#attempt(pod, call, { id: textAt(response, 'containerId'), image });
        return;
      }
      case 'StartContainer': {
        const known = this.#attempt(pod, call, { id: textAt(request, 'containerId') });
        if (known?.state.waiting) known.state = { running: { startedAt: timeText(call.end) ?? null } };
        return;
      }
      case 'ContainerStatus': {
        const status = objectAt(response, 'status');
        if (status) this.#seen(pod, call, status);
        return;
      }
      default:
    }
  }

  /**
   * Applies the status of a container. The status is ignored if it is of an older attempt, or if the container would
   * return to an earlier state.
   */
  #seen(pod: InferredPod, call: AnsweredCall, status: CallMessage): void {
    const image = textAt(status, 'image', 'userSpecifiedImage') || textAt(status, 'image', 'image');
    const known = this.#attempt(pod, call, { id: textAt(status, 'id'), image });
    const state = known && stateOf(status, known.type);
    if (!state || known.state.terminated || (known.state.running && state.waiting)) return;
    known.state = state;
  }

  /** Returns the container after the attempt of a call has begun; undefined for an attempt before the newest one. */
  #attempt(
    pod: InferredPod,
    { container, hints }: AnsweredCall,
    { id, image = '' }: { readonly id: string; readonly image?: string },
  ): InferredContainer | undefined {
    if (!container) return undefined;
    const { name, attempt } = container;
    const known = pod.containers.get(name);
    if (known && known.attempt > attempt) return undefined;
    const type = hints?.type ?? known?.type ?? 'container';
    const isSame = known?.attempt === attempt && (known.id === id || known.id === '' || id === '');
    const next: InferredContainer = {
      type,
      image: image || (known?.image ?? ''),
      attempt,
      id: id || (known?.id ?? ''),
      state: isSame ? known.state : pendingOf(type),
      lastState: isSame ? known.lastState : known?.state.terminated ? known.state : {},
    };
    pod.containers.set(name, next);
    return next;
  }

  /** Applies a failed call. A failed pull leaves its container waiting. Upstream: EnsureImageExists (v1.36). */
  #failed(pod: InferredPod, { method, request, hints }: AnsweredCall): void {
    const name = hints?.container;
    if (method !== 'PullImage' || name === undefined) return;
    const image = textAt(request, 'image', 'userSpecifiedImage') || textAt(request, 'image', 'image');
    const known = pod.containers.get(name);
    if (known && !known.state.waiting) return;
    const blank = { attempt: 0, id: '', lastState: {} };
    pod.containers.set(name, {
      ...(known ?? blank),
      type: hints?.type ?? known?.type ?? 'container',
      image,
      state: { waiting: { reason: 'ErrImagePull' } },
    });
  }
}

const specOf = ([name, { image, type }]: readonly [string, InferredContainer]): Container => ({
  name,
  ...(image === '' ? {} : { image }),
  ...(type === 'sidecar' ? { restartPolicy: 'Always' } : {}),
});

const statusOf = ([name, each]: readonly [string, InferredContainer]): ContainerStatus => {
  const isRunning = each.state.running !== undefined;
  const isDone = each.type === 'init' && each.state.terminated?.exitCode === 0;
  return {
    name,
    state: each.state,
    lastState: each.lastState,
    ready: isRunning || isDone,
    started: isRunning,
    restartCount: each.attempt,
    image: each.image,
    imageID: '',
    ...(each.id === '' ? {} : { containerID: each.id }),
  };
};

function objectOf(inferred: InferredPod): Pod {
  const { name, containers, restartPolicy, nodeName, ip, startTime, isDeleted } = inferred;
  const [init, apps] = [true, false].map((isInit) =>
    [...containers].filter(([, { type }]) => (type !== 'container') === isInit),
  ) as [[string, InferredContainer][], [string, InferredContainer][]];
  const time = timeText(startTime);
  const pod: Pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { uid: name.uid, name: name.name, namespace: name.namespace },
    spec: {
      ...(nodeName === undefined ? {} : { nodeName }),
      ...(restartPolicy === undefined ? {} : { restartPolicy }),
      ...(init.length === 0 ? {} : { initContainers: init.map(specOf) }),
      containers: apps.map(specOf),
    },
  };
  const [initStatuses, containerStatuses] = [init.map(statusOf), apps.map(statusOf)];
  const isEmpty = containers.size === 0;
  const { phase } = isEmpty
    ? ({ phase: 'Pending' } as const)
    : getPhase({
        pod,
        initStatuses,
        containerStatuses,
        podIsTerminal: isDeleted,
        podHasInitialized: apps.some(([, { id }]) => id !== ''),
        gates,
      });
  const status: PodStatus = {
    phase,
    ...(ip === undefined ? {} : { podIP: ip, podIPs: [{ ip }] }),
    ...(time === undefined ? {} : { startTime: time }),
    ...(initStatuses.length === 0 ? {} : { initContainerStatuses: initStatuses }),
    containerStatuses,
  };
  return { ...pod, status };
}
