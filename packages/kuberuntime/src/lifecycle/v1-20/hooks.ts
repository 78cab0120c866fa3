/** Runs lifecycle handlers. Upstream: pkg/kubelet/lifecycle/handlers.go (v1.20). */
import { type Container, goQuote, type HTTPGetAction } from '@podscope/k8s';
import type { HookFailure, HookHTTP } from '../../runtime-dependencies.ts';
import { joinHostPort } from '../http-get-request.ts';
import { hostOf } from '../http-hook.ts';

/** Returns the message of a failed hook. Upstream: handlerRunner.Run (v1.20). */
export const hookFailureV120: HookFailure = (kind, what, container, pod, error, output) =>
  `${kind === 'exec' ? 'Exec' : 'Http'} lifecycle hook (${what}) for Container ${goQuote(container)} in Pod ` +
  `${pod} failed - error: ${error}, message: ${goQuote(output)}`;

/**
 * Returns the number of a port. In errors, the port is formatted like Go's IntOrString. Upstream: resolvePort (v1.20).
 */
function resolvePortV120({ port }: HTTPGetAction, container: Container): number {
  if (typeof port === 'number') return port;
  if (/^[+-]?\d+$/.test(port)) return Number(port);
  const named = container.ports?.find(({ name }) => name === port)?.containerPort;
  if (named === undefined) throw new Error(`couldn't find port: {1 0 ${port}} in container ${container.name}`);
  return named;
}

/**
 * Sends a plain HTTP request without headers. As in v1.20, its path begins with an additional slash. Upstream:
 * runHTTPHandler (v1.20).
 */
export const hookHTTPV120: HookHTTP = async (ctx, dependencies, pod, container, action) => {
  const host = await hostOf(ctx, dependencies, pod, action);
  const port = typeof action.port === 'string' && action.port === '' ? 80 : resolvePortV120(action, container);
  await dependencies.http.get({
    url: `http://${joinHostPort(host, port)}/${action.path ?? ''}`,
    headers: {},
    signal: ctx.signal,
  });
};
