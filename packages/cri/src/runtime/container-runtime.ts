/** Declares what a container runtime provides to the node: the two CRI services, container logs and streams. */
import type { GrpcCode, Point } from '@podscope/trace';
import type { ImageService, RuntimeService } from '../services.ts';
import type { ContainerLogProvider } from './container-logs.ts';
import type { ContainerStreams } from './container-streams.ts';

/** Creates errors of the layers below CRI. A function is absent if the runtime doesn't have the layer. */
export interface RuntimeFailures {
  /** Returns the error for an answer of the Docker Engine. */
  docker?(status: number, message: string): Error;
  /** Returns the error of a CNI plugin. */
  cni?(code: number, message: string, details: string | undefined): Error;
  /** Restores an error of the engine that another process has sent as a code, the whole text and an HTTP status. */
  restored?(code: GrpcCode, message: string, status: number): Error;
}

/** A container runtime. */
export interface ContainerRuntime {
  /** The name of the runtime, which precedes `://` in container ids, for example `docker` or `containerd`. */
  readonly name: string;
  readonly runtime: RuntimeService;
  readonly images: ImageService;
  readonly logs: ContainerLogProvider;
  /**
   * Exec, attach and port-forward in this process. Absent: they are available only through the URLs that the service
   * returns.
   */
  readonly streams?: ContainerStreams;
  /** Returns the requests that the runtime couldn't fulfill exactly, to show them to the user. */
  readonly deviations: () => readonly string[];
  /** The points of the spans that this runtime opens. */
  readonly points?: readonly Point[];
  /** Creates the errors that the layers of this runtime report, for injected faults. */
  readonly failures?: RuntimeFailures;
  /**
   * Makes a running container exit with a code. Only simulated runtimes implement this method.
   * @throws CriError NotFound, FailedPrecondition
   */
  exitContainer?(id: string, code: number): Promise<void>;
  /** Releases connections. Containers aren't changed. */
  close(): Promise<void>;
}
