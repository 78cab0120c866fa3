/** Provides exec, attach and port-forward of any container runtime. */
import type { ContainerRuntime, ContainerStreams } from '@podscope/cri';
import { remoteStreams } from '@podscope/streaming';

/** Returns the runtime's own streams, or else a client for the streaming URLs that the runtime returns. */
export const runtimeStreams = ({ streams, runtime }: ContainerRuntime): ContainerStreams =>
  streams ?? remoteStreams(runtime);
