/**
 * Defines the dependencies that all functions of the runtime manager share. Upstream: fields of
 * kubeGenericRuntimeManager.
 */
import type { ContainerLogProvider, ImageService, RuntimeService } from '@podscope/cri';
import type { ImageManager } from './images/image-manager.ts';
import type { HookHttpClient } from './lifecycle/hooks.ts';
import type { RuntimeGates } from './profiles/gates.ts';
import type { Profile } from './profiles/profile.ts';
import type { ActuatedResources } from './resize/actuated-resources.ts';
import type { PodCgroups } from './resize/pod-cgroups.ts';
import type { EventRecorder, OSInterface, PodStateProvider, ProbeResults, RuntimeHelper } from './runtime.ts';
import type { RuntimeNode } from './runtime-node.ts';

export interface RuntimeDependencies {
  readonly profile: Profile;
  readonly gates: RuntimeGates;
  /** The runtime name in container ids. */
  readonly runtimeName: string;
  readonly runtime: RuntimeService;
  readonly images: ImageService;
  readonly logs: ContainerLogProvider;
  readonly imageManager: ImageManager;
  readonly helper: RuntimeHelper;
  readonly os: OSInterface;
  readonly recorder: EventRecorder;
  readonly liveness: ProbeResults;
  readonly startup: ProbeResults;
  readonly http: HookHttpClient;
  readonly node: RuntimeNode;
  readonly podState: PodStateProvider;
  readonly actuated: ActuatedResources;
  /** Absent if pod cgroups can't be resized on this node. */
  readonly cgroups: PodCgroups | undefined;
  /** Requests that the PLEG inspects the pod again. */
  readonly requestReinspect: (uid: string) => void;
  /** Returns the runtime handler of a runtime class, or undefined if the class doesn't exist. */
  readonly lookupRuntimeHandler: (runtimeClassName: string) => Promise<string | undefined>;
  readonly podLogsDir: string;
  /** The directory of links to container logs. No links are created if absent. */
  readonly legacyLogDir: string | undefined;
  /** Returns a number in [0, 1). */
  readonly random: () => number;
}
