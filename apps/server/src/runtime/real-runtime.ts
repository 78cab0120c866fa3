/** Declares the properties of a container runtime other than the simulator that the server needs. */
import type { NodeConfiguration } from '@podscope/kubelet';
import type { NodeHostOptions } from '@podscope/node';

/** A runtime and the machine on which it runs containers. */
export interface RealRuntime
  extends Pick<NodeHostOptions, 'containerRuntime' | 'runtimeKind' | 'os' | 'http' | 'tcp' | 'grpc' | 'notices'> {
  readonly runtimeKind: 'docker' | 'cri';
  /** Settings of the node that differ from those of this machine. */
  readonly node: Partial<NodeConfiguration>;
}
