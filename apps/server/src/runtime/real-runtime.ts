/** Defines what the server needs to know about a container runtime other than the simulator. */
import type { NodeConfiguration } from '@podscope/kubelet';
import type { NodeHostOptions } from '@podscope/node';

/** A runtime and the machine on which it runs containers. */
export interface RealRuntime
  extends Pick<NodeHostOptions, 'containerRuntime' | 'runtimeKind' | 'os' | 'http' | 'tcp' | 'grpc' | 'notices'> {
  readonly runtimeKind: 'docker' | 'cri';
  /** Settings in which the node differs from this machine. */
  readonly node: Partial<NodeConfiguration>;
}
