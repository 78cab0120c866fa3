/** Provides exec, attach and port-forward of any container runtime. */
import type { ContainerRuntime, ContainerStreams } from '@podscope/cri';
import { remoteStreams } from '@podscope/streaming';

/** Returns the runtime's own streams, or a client of the streaming URLs that it returns. */
export const runtimeStreams = ({ streams, runtime }: ContainerRuntime): ContainerStreams =>
  streams ?? remoteStreams(runtime);
