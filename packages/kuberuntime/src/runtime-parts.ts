/** What the functions of the runtime manager share: dependencies, and what was made from them. */
import type { ContainerLogProvider, ImageService, RuntimeService } from '@podscope/cri';
import type { RuntimeGates } from './gates.ts';
import type { ImageManager } from './images/image-manager.ts';
import type { HookHttpClient } from './lifecycle/hooks.ts';
import type { Profile } from './profiles/profile.ts';
import type { ActuatedResources } from './resize/actuated-resources.ts';
import type { PodCgroups } from './resize/pod-cgroups.ts';
import type { EventRecorder, OSInterface, PodStateProvider, ProbeResults, RuntimeHelper } from './runtime.ts';
import type { RuntimeNode } from './runtime-node.ts';

export interface RuntimeParts {
  readonly profile: Profile;
  readonly gates: RuntimeGates;
  /** Runtime name as in container ids. */
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
  /** Absent: pod cgroups can't be resized here. */
  readonly cgroups: PodCgroups | undefined;
  /** Asks for the pod to be looked at again. */
  readonly requestReinspect: (uid: string) => void;
  /** The runtime handler of a runtime class; undefined for a class that does not exist. */
  readonly lookupRuntimeHandler: (runtimeClassName: string) => Promise<string | undefined>;
  readonly podLogsDir: string;
  /** Where links to container logs are made; absent: none are. */
  readonly legacyLogDir: string | undefined;
  /** A number in [0, 1). */
  readonly random: () => number;
}
