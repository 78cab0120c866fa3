/** Puts the runtime manager together from what the kubelet has. Upstream: NewKubeGenericRuntimeManager as the kubelet calls it (v1.36). */
import type { Pod } from '@podscope/k8s';
import { KubeGenericRuntimeManager, NodeRuntimeHelper, type ProbeResults, type Profile, type Runtime } from '@podscope/kuberuntime';
import type { Context } from '@podscope/trace';
import type { PodContainerManager } from './cgroups/pod-container-manager.ts';
import type { KubeletDependencies } from './dependencies.ts';
import { nodeAllocatable } from './node-allocatable.ts';
import type { ProbeType } from './prober/update-pod-status.ts';
import type { VolumeManager } from './volumes/volume-manager.ts';

/** What the runtime manager needs of the kubelet. */
interface RuntimeManagerParts {
  readonly profile: Profile;
  readonly podContainers: PodContainerManager;
  readonly deps: KubeletDependencies;
  readonly volumeManager: VolumeManager;
  readonly probes: Readonly<Record<ProbeType, ProbeResults>>;
  readonly isPodTerminationRequested: (uid: string) => boolean;
  readonly shouldPodContentBeRemoved: (uid: string) => boolean;
  readonly shouldPodRuntimeBeRemoved: (uid: string) => boolean;
  readonly onPodSandboxReady: (ctx: Context, pod: Pod) => Promise<void>;
  readonly requestReinspect: (uid: string) => void;
}

/** Makes the runtime manager. */
export type RuntimeManagerFactory = (parts: RuntimeManagerParts) => Runtime;

/** The runtime manager over the kubelet's CRI runtime. */
export const createRuntimeManager: RuntimeManagerFactory = (parts) => {
  const { deps, profile, podContainers, volumeManager, probes, isPodTerminationRequested, onPodSandboxReady } = parts;
  const { node, os, recorder, client, containerRuntime, http, random, featureGates } = deps;
  const helper = new NodeRuntimeHelper({
    node: { ...node, allocatable: nodeAllocatable(node) },
    os,
    recorder,
    sources: client,
    mountedVolumes: ({ metadata }) => volumeManager.mountedVolumes(metadata.uid),
    isPodTerminationRequested,
    onPodSandboxReady,
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
    podState: parts,
    node: { ...node, seccompProfileRoot: `${node.rootDir}/seccomp` },
    podLogsDir: node.podLogsDir,
    actuatedStateFile: `${node.rootDir}/actuated_pods_state`,
    random,
    profile,
    featureGates,
    legacyLogDir: deps.legacyLogDir,
    ...(podContainers.enabled ? { cgroups: podContainers } : {}),
    requestReinspect: parts.requestReinspect,
  });
};
