/**
 * Declares the state that all RPCs of a dockershim share. Upstream: dockerService (dockershim docker_service.go,
 * v1.20).
 */
import type { CheckpointStore } from './checkpoint/store.ts';
import type { CgroupSetting } from './container/create/cgroup-setting.ts';
import type { ProcessUsers } from './container/create/process-user.ts';
import type { DockerClient } from './docker/port.ts';
import type { Capabilities } from './engine/capabilities.ts';
import type { Deviations } from './engine/deviations.ts';
import type { EngineFacts } from './engine/facts.ts';
import type { OomScores } from './engine/oom-scores.ts';
import type { ImageNames } from './image/image-names.ts';
import type { ImageUsers } from './image/image-users.ts';
import type { ImageVolumes } from './image/image-volumes.ts';
import type { LogWriters } from './logs/log-writers.ts';
import type { NetworkPlugin } from './network/plugin.ts';
import type { OwnedObjects } from './objects/owned-objects.ts';
import type { ResolvedOptions } from './options.ts';
import type { StartingSandboxes } from './sandbox/starting-sandboxes.ts';
import type { NamespaceDialers } from './streams/namespace-dialers.ts';

/** The state of a sandbox's network. A sandbox without an entry was set up by an earlier process. */
type NetworkState = 'none' | 'setUp' | 'tornDown';

/** The dependencies of every RPC. */
export interface DockershimDependencies {
  readonly docker: DockerClient;
  readonly options: ResolvedOptions;
  readonly checkpoints: CheckpointStore;
  readonly network: NetworkPlugin;
  readonly networkStates: Map<string, NetworkState>;
  /** The sandboxes whose RunPodSandbox call hasn't finished. They aren't ready, even if their container runs. */
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
  /** The cgroup settings of created containers. They are written when the container starts. */
  readonly cgroupSettings: Map<string, readonly CgroupSetting[]>;
  readonly logWriters: LogWriters;
  /** Connects to ports of sandboxes, for port-forward. */
  readonly dialers: NamespaceDialers;
}
