/** Exec, attach and port-forward of whatever runtime there is. */
import type { ContainerRuntime, ContainerStreams } from '@podscope/cri';
import { remoteStreams } from '@podscope/streaming';

/** The runtime's own streams, or those behind the URLs it hands out. */
export const runtimeStreams = ({ streams, runtime }: ContainerRuntime): ContainerStreams => streams ?? remoteStreams(runtime);
