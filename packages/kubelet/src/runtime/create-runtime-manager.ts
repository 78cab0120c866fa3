/**
 * Creates the runtime manager from the kubelet's parts. Upstream: the call of NewKubeGenericRuntimeManager in
 * NewMainKubelet (v1.36).
 */
import type { Pod } from '@podscope/k8s';
import {
  KubeGenericRuntimeManager,
  NodeRuntimeHelper,
  type ProbeResults,
  type Profile,
  type Runtime,
  runtimeGates,
} from '@podscope/kuberuntime';
import type { Context } from '@podscope/trace';
import { nodeAllocatable } from '../cgroups/node-allocatable.ts';
import type { PodContainerManager } from '../cgroups/pod-container-manager.ts';
import type { KubeletDependencies } from '../dependencies.ts';
import type { ImageClient } from '../images/image-client.ts';
import type { ProbeType } from '../prober/update-pod-status.ts';
import type { VolumeManager } from '../volumes/volume-manager.ts';

/** The dependencies of the runtime manager. */
interface RuntimeManagerDependencies {
  readonly profile: Profile;
  readonly imageClient: ImageClient;
  readonly podContainers: PodContainerManager;
  readonly kubelet: KubeletDependencies;
  readonly volumeManager: VolumeManager;
  readonly probes: Readonly<Record<ProbeType, ProbeResults>>;
  readonly isPodTerminationRequested: (uid: string) => boolean;
  readonly shouldPodContentBeRemoved: (uid: string) => boolean;
  readonly shouldPodRuntimeBeRemoved: (uid: string) => boolean;
  readonly onPodSandboxReady: (ctx: Context, pod: Pod) => Promise<void>;
  readonly requestReinspect: (uid: string) => void;
  readonly lookupRuntimeHandler: (runtimeClassName: string) => Promise<string | undefined>;
  readonly supportsRecursiveReadOnly: (pod: Pod) => boolean;
}

/** Creates a runtime manager from its dependencies. */
export type RuntimeManagerFactory = (dependencies: RuntimeManagerDependencies) => Runtime;

/** Creates the runtime manager that calls the kubelet's CRI runtime. */
export const createRuntimeManager: RuntimeManagerFactory = (dependencies) => {
  const { kubelet, profile, podContainers, volumeManager, probes, isPodTerminationRequested, onPodSandboxReady } =
    dependencies;
  const { node, os, recorder, client, containerRuntime, http, random, featureGates } = kubelet;
  const helper = new NodeRuntimeHelper({
    node: { ...node, allocatable: nodeAllocatable(node) },
    os,
    recorder,
    sources: client,
    mountedVolumes: ({ metadata }) => volumeManager.mountedVolumes(metadata.uid),
    isPodTerminationRequested,
    onPodSandboxReady,
    supportsRecursiveReadOnly: dependencies.supportsRecursiveReadOnly,
    podLevelResources: runtimeGates(profile.gates, featureGates).PodLevelResources,
    profile: profile.helper,
  });
  return new KubeGenericRuntimeManager({
    containerRuntime,
    helper,
    os,
    recorder,
    liveness: probes.liveness,
    startup: probes.startup,
    http,
    podState: dependencies,
    node: { ...node, seccompProfileRoot: `${node.rootDir}/seccomp` },
    podLogsDir: node.podLogsDir,
    actuatedStateFile: `${node.rootDir}/actuated_pods_state`,
    random,
    profile,
    featureGates,
    imageClient: dependencies.imageClient,
    lookupRuntimeHandler: dependencies.lookupRuntimeHandler,
    legacyLogDir: node.legacyLogDir,
    ...(podContainers.enabled ? { cgroups: podContainers } : {}),
    requestReinspect: dependencies.requestReinspect,
  });
};
