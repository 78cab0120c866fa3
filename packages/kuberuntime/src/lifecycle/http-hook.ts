/** Sends the requests of httpGet hooks. Upstream: pkg/kubelet/lifecycle/handlers.go runHTTPHandler (v1.36). */
import { errorText } from '@podscope/base';
import type { HTTPGetAction, Pod } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import type { HookHTTP, RuntimeDependencies } from '../runtime-dependencies.ts';
import { httpGetRequest } from './http-get-request.ts';

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

/** Returns true if the server responded with HTTP where TLS was expected. */
const isHTTPResponseError = (error: unknown): boolean =>
  /server gave HTTP response to HTTPS client|wrong version number|packet length too long/i.test(errorText(error));

/** Sends the request. Any HTTP status counts as success. Upstream: runHTTPHandler (v1.36). */
export const hookHTTPV136: HookHTTP = async (ctx, dependencies, pod, container, action) => {
  const host = await hostOf(ctx, dependencies, pod, action);
  const { scheme, address, location, headers } = httpGetRequest(action, container, host, 'kube-lifecycle/1.36');
  try {
    await dependencies.http.get({ url: `${scheme}://${location}`, headers, signal: ctx.signal });
  } catch (error) {
    if (scheme !== 'https' || !isHTTPResponseError(error)) throw error;
    const withoutAuthorization = Object.fromEntries(
      Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'authorization'),
    );
    try {
      await dependencies.http.get({ url: `http://${location}`, headers: withoutAuthorization, signal: ctx.signal });
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
