/**
 * Sends the requests of httpGet hooks. Upstream: pkg/kubelet/lifecycle/handlers.go runHTTPHandler,
 * pkg/probe/http/request.go (v1.36 and v1.20).
 */
import { errorText } from '@podscope/base';
import { type Container, goQuote, type HTTPGetAction, type Pod } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import type { HookHTTP, RuntimeDependencies } from '../runtime-dependencies.ts';

export const joinHostPort = (host: string, port: number | string): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;

/**
 * Returns the host of the action; without one, the pod's first address.
 * @throws Error when the pod has no address
 */
export async function hostOf(
  ctx: Context,
  dependencies: RuntimeDependencies,
  pod: Pod,
  { host }: HTTPGetAction,
): Promise<string> {
  if (host) return host;
  const status = await dependencies.profile.getPodStatusByUID(ctx, dependencies, pod);
  const [ip] = status.ips;
  if (ip === undefined) throw new Error(`failed to find networking container: ${describePodStatus(status)}`);
  return ip;
}

const describePodStatus = ({
  name,
  namespace,
  sandboxStatuses,
}: {
  name: string;
  namespace: string;
  sandboxStatuses: readonly unknown[];
}): string => `pod ${name}_${namespace} with ${sandboxStatuses.length} sandboxes and no address`;

/**
 * Returns the number of a port. Upstream: probe.ResolveContainerPort (v1.36).
 * @throws Error for an unknown or invalid port
 */
function resolvePort({ port }: HTTPGetAction, { ports = [] }: Container): number {
  const named = typeof port === 'string' ? ports.find(({ name }) => name === port)?.containerPort : undefined;
  const number = named ?? (typeof port === 'number' || /^[+-]?\d+$/.test(port) ? Number(port) : undefined);
  if (number === undefined) throw new Error(`strconv.Atoi: parsing ${goQuote(String(port))}: invalid syntax`);
  if (number <= 0 || number >= 65_536) throw new Error(`invalid port number: ${number}`);
  return number;
}

/**
 * Returns the headers of the request. A later value replaces an earlier one whose name differs only in case. An empty
 * Accept removes the header.
 */
function headersOf({ httpHeaders = [] }: HTTPGetAction, userAgent: string): Readonly<Record<string, string>> {
  const headers = new Map<string, readonly [name: string, value: string]>();
  for (const { name, value } of httpHeaders) headers.set(name.toLowerCase(), [name, value]);
  if (!headers.has('user-agent')) headers.set('user-agent', ['User-Agent', userAgent]);
  if (!headers.has('accept')) headers.set('accept', ['Accept', '*/*']);
  else if (headers.get('accept')?.[1] === '') headers.delete('accept');
  return Object.fromEntries(headers.values());
}

/** Returns true if the server responded with HTTP where TLS was expected. */
const isHTTPResponseError = (error: unknown): boolean =>
  /server gave HTTP response to HTTPS client|wrong version number|packet length too long/i.test(errorText(error));

/** Sends the request. Any HTTP status counts as success. Upstream: runHTTPHandler (v1.36). */
export const hookHTTPV136: HookHTTP = async (ctx, dependencies, pod, container, action) => {
  const host = await hostOf(ctx, dependencies, pod, action);
  const address = joinHostPort(host, resolvePort(action, container));
  const path = action.path ?? '';
  const rest = `${address}${path === '' || path.startsWith('/') ? '' : '/'}${path}`;
  const headers = headersOf(action, 'kube-lifecycle/1.36');
  const scheme = (action.scheme ?? 'HTTP').toLowerCase();
  try {
    await dependencies.http.get({ url: `${scheme}://${rest}`, headers, signal: ctx.signal });
  } catch (error) {
    if (scheme !== 'https' || !isHTTPResponseError(error)) throw error;
    const withoutAuthorization = Object.fromEntries(
      Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'authorization'),
    );
    try {
      await dependencies.http.get({ url: `http://${rest}`, headers: withoutAuthorization, signal: ctx.signal });
    } catch {
      throw error;
    }
    dependencies.recorder.event(
      ctx,
      pod,
      'Warning',
      'LifecycleHTTPFallback',
      `request to HTTPS lifecycle hook ${address} got HTTP response, retry with HTTP succeeded`,
    );
  }
};
