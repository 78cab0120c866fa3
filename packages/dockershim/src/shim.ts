/** What the verbs share: the engine, the options, and what dockershim remembers between calls. */
import type { CheckpointStore } from './checkpoint/store.ts';
import type { cgroupSettings } from './container/cgroup-settings.ts';
import type { ProcessUsers } from './container/process-user.ts';
import type { Deviations } from './deviations.ts';
import type { DockerClient } from './docker/port.ts';
import type { Capabilities } from './engine/capabilities.ts';
import type { EngineFacts } from './engine/facts.ts';
import type { OomScores } from './engine/oom-scores.ts';
import type { ImageNames } from './image/image-names.ts';
import type { ImageUsers } from './image/image-users.ts';
import type { ImageVolumes } from './image/image-volumes.ts';
import type { LogWriters } from './logs/log-writers.ts';
import type { NetworkPlugin } from './network/plugin.ts';
import type { ResolvedOptions } from './options.ts';
import type { OwnedObjects } from './owned-objects.ts';
import type { StartingSandboxes } from './sandbox/starting-sandboxes.ts';

/** What is known of a sandbox's network; no entry means that it was set up before this process began. */
type NetworkState = 'none' | 'setUp' | 'tornDown';

/** The shared state of one dockershim. Upstream: dockerService (v1.20). */
export interface Shim {
  readonly docker: DockerClient;
  readonly options: ResolvedOptions;
  readonly checkpoints: CheckpointStore;
  readonly network: NetworkPlugin;
  readonly networkStates: Map<string, NetworkState>;
  /** Sandboxes that RunPodSandbox is at work on: their container may run, but they are not ready before their network is. */
  readonly startingSandboxes: StartingSandboxes;
  readonly objects: OwnedObjects;
  readonly engine: EngineFacts;
  readonly oomScores: OomScores;
  readonly capabilities: Capabilities;
  readonly imageNames: ImageNames;
  readonly imageUsers: ImageUsers;
  readonly imageVolumes: ImageVolumes;
  readonly processUsers: ProcessUsers;
  readonly deviations: Deviations;
  /** Of containers that wait to be started: what is then written into their control groups. */
  readonly cgroupSettings: Map<string, ReturnType<typeof cgroupSettings>>;
  readonly logWriters: LogWriters;
}
