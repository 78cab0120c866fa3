/**
 * Opens spans around the simulated work for the Docker Engine calls and CNI commands that dockershim would make.
 * Upstream: instrumented_client.go (libdocker, v1.20), libcni.
 */

import { cniPoints, dockerPoints } from '@podscope/flow';
import type { Attributes, Context, SpanContext } from '@podscope/trace';

/** The name that dockershim gives to a Docker Engine call. */
export type DockerOperation = keyof typeof dockerPoints;

/** The parts of a call's request that its span contains. */
export interface DockerCall {
  /** The id of the container or the reference of the image. */
  readonly id?: string;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
}

/** Returns the attributes of a call's span. The attributes equal those of a call to a real engine. */
function requestOf(operation: DockerOperation, { id = '', query, body }: DockerCall): Attributes {
  const { upstream = '' } = dockerPoints[operation];
  const space = upstream.indexOf(' ');
  // Slashes in an image's name aren't escaped, as in dockerode's requests.
  const escaped = id.split('/').map(encodeURIComponent).join('/');
  const path = upstream.slice(space + 1).replace(/\{\w+\}/, () => escaped);
  const entries = Object.entries(query ?? {}).map(([key, value]): [string, string] => [key, String(value)]);
  return {
    method: upstream.slice(0, space),
    path: entries.length > 0 ? `${path}?${new URLSearchParams(entries).toString()}` : path,
    ...(body === undefined ? {} : { body }),
  };
}

/**
 * Runs `work` in the span of a Docker Engine call.
 * @param request returns the request; only called if events are recorded
 */
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

/**
 * Makes a Docker Engine call that only reads and takes no time. Unless a debugger may stop at the call, the call is
 * made synchronously, so that no other work of the same instant runs between two reads of a client.
 * @param otherwise the answer if a debugger provides the result of the call, which is then not made
 * @throws the error of `look`
 */
export async function dockerRead<T>(
  ctx: Context,
  operation: DockerOperation,
  request: () => DockerCall,
  look: (ctx: SpanContext) => T,
  otherwise: T,
): Promise<T> {
  ctx.signal.throwIfAborted();
  const point = dockerPoints[operation];
  const attributes = ctx.tracer.enabled ? requestOf(operation, request()) : {};
  let answer = otherwise;
  const read = (inner: SpanContext): void => {
    answer = look(inner);
  };
  const held = ctx.tracer.atOnce(ctx, point, attributes, read);
  if (held) await held;
  return answer;
}

/** The invocation of a CNI plugin. */
export interface CniCall {
  readonly command: 'ADD' | 'DEL';
  /** The plugin's type, such as `bridge`. */
  readonly plugin: string;
  readonly ifName: string;
  readonly sandboxId: string;
  readonly pod: { readonly name: string; readonly namespace: string };
}

/** Runs `work` in the span of a CNI command. */
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
