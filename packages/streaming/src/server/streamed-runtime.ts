/** Adds a streaming server to a runtime with in-process streams, so that Exec, Attach and PortForward return URLs. */
import { type ContainerStreams, CriError, type RuntimeService } from '@podscope/cri';
import type { Context } from '@podscope/trace';
import { StreamingServer, type StreamingServerOptions } from './streaming-server.ts';

/** A runtime with a streaming server. */
export interface StreamedRuntime {
  readonly runtime: RuntimeService;
  /** Stops listening and closes all connections. */
  close(): Promise<void>;
}

/**
 * Returns the runtime with a streaming server for `streams`. As in the kubelet's server, the container or sandbox is
 * checked before a URL is returned.
 * @param ctx the context of the streams
 */
export function streamedRuntime(
  ctx: Context,
  runtime: RuntimeService,
  streams: ContainerStreams,
  options?: StreamingServerOptions,
): StreamedRuntime {
  const server = new StreamingServer(ctx, streams, options);
  const running = async (inner: Context, containerId: string): Promise<void> => {
    const { status } = await runtime.containerStatus(inner, { containerId });
    if (status.state !== 'CONTAINER_RUNNING')
      throw new CriError('FailedPrecondition', `container not running (${containerId})`);
  };
  const urls: Pick<RuntimeService, 'exec' | 'attach' | 'portForward'> = {
    async exec(inner, request) {
      StreamingServer.checkExec(request);
      await running(inner, request.containerId);
      return { url: await server.getExec(request) };
    },
    async attach(inner, request) {
      StreamingServer.checkAttach(request);
      await running(inner, request.containerId);
      return { url: await server.getAttach(request) };
    },
    async portForward(inner, request) {
      StreamingServer.checkPortForward(request);
      await runtime.podSandboxStatus(inner, { podSandboxId: request.podSandboxId });
      return { url: await server.getPortForward(request) };
    },
  };
  // Methods of a class instance must keep their `this`.
  const handler: ProxyHandler<RuntimeService> = {
    get(target, key) {
      if (Object.hasOwn(urls, key)) return Reflect.get(urls, key) as unknown;
      const member: unknown = Reflect.get(target, key);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  };
  return { runtime: new Proxy(runtime, handler), close: () => server.close() };
}
