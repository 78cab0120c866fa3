/** Declares what the node needs of a container runtime: the two CRI services, container logs and streams. */
import type { GrpcCode, Point } from '@podscope/trace';
import type { ImageService, RuntimeService } from '../services.ts';
import type { ContainerLogProvider } from './container-logs.ts';
import type { ContainerStreams } from './container-streams.ts';

/** Creates errors of the layers below CRI; absent for layers that the runtime doesn't have. */
export interface RuntimeFailures {
  /** Returns the error for an answer of the Docker Engine. */
  docker?(status: number, message: string): Error;
  /** Returns the error of a CNI plugin. */
  cni?(code: number, message: string, details: string | undefined): Error;
  /** Returns an error of the engine that another process has sent: its code, its complete text, its HTTP status. */
  restored?(code: GrpcCode, message: string, status: number): Error;
}

/** A container runtime. */
export interface ContainerRuntime {
  /** The runtime's name in container ids, before `://`: `docker`, `containerd`. */
  readonly name: string;
  readonly runtime: RuntimeService;
  readonly images: ImageService;
  readonly logs: ContainerLogProvider;
  /** Exec, attach and port-forward in process. Absent: only through the URLs of the service. */
  readonly streams?: ContainerStreams;
  /** Returns requests that the runtime couldn't fulfill exactly; shown to the user. */
  readonly deviations: () => readonly string[];
  /** The points inside of this runtime. */
  readonly points?: readonly Point[];
  /** Creates errors of this runtime's kinds, for injected faults. */
  readonly failures?: RuntimeFailures;
  /**
   * Lets a running container exit with a code, for simulated runtimes. @throws CriError NotFound, FailedPrecondition
   */
  exitContainer?(id: string, code: number): Promise<void>;
  /** Releases connections. Containers stay as they are. */
  close(): Promise<void>;
}
