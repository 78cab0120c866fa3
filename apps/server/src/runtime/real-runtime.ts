/** Defines what the server needs to know about a runtime that creates real containers. */
import type { NodeConfiguration } from '@podscope/kubelet';
import type { NodeHostOptions } from '@podscope/node';

/** A runtime and the machine on which it runs containers. */
export interface RealRuntime
  extends Pick<NodeHostOptions, 'containerRuntime' | 'runtimeKind' | 'os' | 'http' | 'tcp' | 'grpc' | 'notices'> {
  readonly runtimeKind: 'docker' | 'cri';
  /** Node settings that differ from this machine's. */
  readonly node: Partial<NodeConfiguration>;
}
