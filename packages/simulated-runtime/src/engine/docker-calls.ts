/**
 * Records the Docker Engine calls and CNI commands that dockershim would make as spans around the simulated work.
 * Upstream: instrumented_client.go (libdocker, v1.20), libcni.
 */
import { cniPoints, dockerPoints } from '@podscope/flow';
import type { Attributes, Context, SpanContext } from '@podscope/trace';

/** A Docker Engine call by dockershim's name for it. */
export type DockerOperation = keyof typeof dockerPoints;

/** The request of a call, as far as the span shows it. */
export interface DockerCall {
  /** The container's id, or the reference of the image. */
  readonly id?: string;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
}

/** Returns the attributes of a call's span: the members that a call to a real engine records. */
function requestOf(operation: DockerOperation, { id = '', query, body }: DockerCall): Attributes {
  const { upstream = '' } = dockerPoints[operation];
  const space = upstream.indexOf(' ');
  const path = upstream.slice(space + 1).replace(/\{\w+\}/, id);
  const entries = Object.entries(query ?? {}).map(([key, value]): [string, string] => [key, String(value)]);
  return {
    method: upstream.slice(0, space),
    path: entries.length > 0 ? `${path}?${new URLSearchParams(entries).toString()}` : path,
    ...(body === undefined ? {} : { body }),
  };
}

/** Runs `work` as the span of a Docker Engine call. `request` is evaluated only if events are recorded. */
export const dockerCall = <T>(
  ctx: Context,
  operation: DockerOperation,
  request: DockerCall | (() => DockerCall),
  work: (ctx: SpanContext) => Promise<T> | T,
): Promise<T> =>
  ctx.tracer.span(
    ctx,
    dockerPoints[operation],
    () => requestOf(operation, typeof request === 'function' ? request() : request),
    work,
  );

/** A plugin invocation. */
export interface CniCall {
  readonly command: 'ADD' | 'DEL';
  /** The plugin's type, such as `bridge`. */
  readonly plugin: string;
  readonly ifName: string;
  readonly sandboxId: string;
  readonly pod: { readonly name: string; readonly namespace: string };
}

/** Runs `work` as the span of a CNI command. */
export const cniCall = <T>(
  ctx: Context,
  { command, plugin, ifName, sandboxId, pod }: CniCall,
  work: (ctx: SpanContext) => Promise<T> | T,
): Promise<T> =>
  ctx.tracer.span(
    ctx,
    cniPoints[command],
    () => ({
      plugin,
      environment: {
        CNI_COMMAND: command,
        CNI_CONTAINERID: sandboxId,
        CNI_IFNAME: ifName,
        CNI_ARGS:
          `IgnoreUnknown=1;K8S_POD_NAMESPACE=${pod.namespace};K8S_POD_NAME=` +
          `${pod.name};K8S_POD_INFRA_CONTAINER_ID=${sandboxId}`,
      },
    }),
    work,
  );
