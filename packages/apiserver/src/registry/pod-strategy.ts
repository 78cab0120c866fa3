/**
 * Defines the strategies of pods: defaults and validation at creation and update. Upstream:
 * pkg/registry/core/pod/strategy.go (v1.36).
 */
import {
  admissionDefaults,
  admissionUpdateDefaults,
  type Container,
  defaultPod,
  dropPodLevelResources,
  type Pod,
  type PodResizeGates,
  preparePodForCreate,
  type ServiceAccount,
  validatePodCreate,
  validatePodEphemeralContainersUpdate,
  validatePodResize,
  validatePodUpdate,
} from '@podscope/k8s';
import { type Clock, formatTime } from '@podscope/trace';
import { type FindRuntimeClass, withRuntimeClass } from '../admission/runtime-class.ts';
import type { Strategy, Subresource } from './strategy.ts';

export interface PodStrategyOptions {
  /** The node to which pods without a nodeName are bound. */
  readonly nodeName: string;
  readonly clock: Clock;
  readonly serviceAccount: (namespace: string, name: string) => ServiceAccount | undefined;
  readonly runtimeClass: FindRuntimeClass;
  /** The feature gate PodLevelResources. Default: on. */
  readonly podLevelResources?: boolean | undefined;
  readonly resizeGates?: PodResizeGates | undefined;
}

/** Binds a new pod to the only node. Upstream: the scheduler's binding (assignPod, setPodHostAndAnnotations). */
function bind(pod: Pod, { nodeName, clock }: PodStrategyOptions): Pod {
  if (pod.spec.nodeName) return pod;
  const scheduled = {
    type: 'PodScheduled',
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: formatTime(clock.now()),
  } as const;
  return { ...pod, spec: { ...pod.spec, nodeName }, status: { ...pod.status, conditions: [scheduled] } };
}

/**
 * Adds the pull secrets of the service account to a pod that names none. Unlike upstream, a missing account isn't an
 * error: pods may come from other clusters. Upstream: admission plugin ServiceAccount (v1.36).
 */
function withPullSecrets(pod: Pod, { serviceAccount }: PodStrategyOptions): Pod {
  const { imagePullSecrets, serviceAccountName = '' } = pod.spec;
  if (imagePullSecrets && imagePullSecrets.length > 0) return pod;
  const inherited = serviceAccount(pod.metadata.namespace ?? '', serviceAccountName)?.imagePullSecrets ?? [];
  return inherited.length > 0 ? { ...pod, spec: { ...pod.spec, imagePullSecrets: inherited } } : pod;
}

/** Drops the fields whose feature gate is off. Upstream: podutil.DropDisabledPodFields (v1.36). */
const dropDisabledFields = (pod: Pod, { podLevelResources = true }: PodStrategyOptions, stored?: Pod): Pod =>
  podLevelResources ? pod : dropPodLevelResources(pod, stored);

const podStrategy = (options: PodStrategyOptions): Strategy<Pod> => ({
  setDefaults: defaultPod,
  prepareForCreate: (pod) =>
    bind(
      preparePodForCreate(
        withRuntimeClass(
          withPullSecrets(admissionDefaults(defaultPod(dropDisabledFields(pod, options))), options),
          options.runtimeClass,
        ),
      ),
      options,
    ),
  validate: validatePodCreate,
  prepareForUpdate: (next, current) => ({
    ...admissionUpdateDefaults(defaultPod(dropDisabledFields(next, options, current)), current),
    status: current.status,
  }),
  validateUpdate: validatePodUpdate,
});

/** Upstream: podStatusStrategy. */
const statusStrategy = (main: Strategy<Pod>): Strategy<Pod> => ({
  ...main,
  prepareForUpdate: (next, current) => ({
    ...next,
    metadata: { ...next.metadata, ownerReferences: current.metadata.ownerReferences },
    spec: current.spec,
  }),
  validateUpdate: () => [],
});

/** Upstream: podEphemeralContainersStrategy. */
const ephemeralContainersStrategy = (main: Strategy<Pod>): Strategy<Pod> => ({
  ...main,
  prepareForUpdate: (next, current) => ({
    ...current,
    metadata: next.metadata,
    spec: { ...current.spec, ephemeralContainers: defaultPod(next).spec.ephemeralContainers },
  }),
  validateUpdate: validatePodEphemeralContainersUpdate,
});

/**
 * Returns the current containers with the new resources; if containers were renamed or reordered, the new containers,
 * which validation rejects. Both lists must have the same length. Upstream: dropNonResizeUpdatesForContainers.
 */
function withResources(current: readonly Container[] = [], next: readonly Container[] = []): readonly Container[] {
  if (next.some(({ name }, index) => name !== current[index]?.name)) return next;
  return current.map((container, index) => ({
    ...container,
    resources: next[index]?.resources,
    resizePolicy: next[index]?.resizePolicy,
  }));
}

/** Upstream: podResizeStrategy, dropNonResizeUpdates. */
const resizeStrategy = (main: Strategy<Pod>, options: PodStrategyOptions): Strategy<Pod> => ({
  ...main,
  prepareForUpdate: (submitted, current) => {
    const next = dropDisabledFields(defaultPod(submitted), options, current);
    const { containers, initContainers, resources } = next.spec;
    // Validation rejects this pod, and reports everything else that is wrong with it, too.
    if (
      containers.length !== current.spec.containers.length ||
      (initContainers ?? []).length !== (current.spec.initContainers ?? []).length
    )
      return next;
    const { labels, annotations, finalizers, ownerReferences } = current.metadata;
    return {
      ...current,
      metadata: { ...next.metadata, labels, annotations, finalizers, ownerReferences },
      spec: {
        ...current.spec,
        containers: withResources(current.spec.containers, containers),
        ...(current.spec.initContainers || initContainers
          ? { initContainers: withResources(current.spec.initContainers, initContainers) }
          : {}),
        ...(options.resizeGates?.podLevelResources === false ? {} : { resources }),
      },
    };
  },
  validateUpdate: (next, current) => validatePodResize(next, current, options.resizeGates),
});

/** The strategies of pods and of their subresources. */
export function podStrategies(options: PodStrategyOptions): Readonly<Record<'pod' | Subresource, Strategy<Pod>>> {
  const pod = podStrategy(options);
  return {
    pod,
    status: statusStrategy(pod),
    ephemeralcontainers: ephemeralContainersStrategy(pod),
    resize: resizeStrategy(pod, options),
  };
}
