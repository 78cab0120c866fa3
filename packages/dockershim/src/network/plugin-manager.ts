/**
 * Runs the calls of a network plugin one after another for each pod, and adds the names of plugin and pod to errors.
 * Upstream: PluginManager (dockershim network/plugins.go, v1.20).
 */
import type { Context } from '@podscope/trace';
import { wrapError } from '../docker/error.ts';
import type { NetworkPlugin, PodNetwork } from './plugin.ts';

/** Wraps a plugin so that its calls for a pod run one after another. */
export function managePlugin(plugin: NetworkPlugin): NetworkPlugin {
  const busy = new Map<string, Promise<unknown>>();
  const fullName = ({ name, namespace }: PodNetwork): string => `${name}_${namespace}`;

  async function inTurn<T>(pod: PodNetwork, what: string, work: () => Promise<T>): Promise<T> {
    const key = fullName(pod);
    const before = busy.get(key) ?? Promise.resolve();
    const done = before.then(work, work);
    const settled = done.then(
      () => undefined,
      () => undefined,
    );
    busy.set(key, settled);
    try {
      return await done;
    } catch (error) {
      throw wrapError(`networkPlugin ${plugin.name} failed ${what} pod "${key}" network`, error);
    } finally {
      if (busy.get(key) === settled) busy.delete(key);
    }
  }

  return {
    name: plugin.name,
    networkMode: plugin.networkMode,
    setUpPod: (ctx: Context, pod, annotations, options) =>
      inTurn(pod, 'to set up', () => plugin.setUpPod(ctx, pod, annotations, options)),
    tearDownPod: (ctx: Context, pod) => inTurn(pod, 'to teardown', () => plugin.tearDownPod(ctx, pod)),
    // Reading addresses doesn't wait for other calls, so that a pod's status is available while its network is set up.
    podIPs: (ctx, pod) =>
      plugin.podIPs(ctx, pod).catch((error: unknown) => {
        throw wrapError(`networkPlugin ${plugin.name} failed on the status hook for pod "${fullName(pod)}"`, error);
      }),
    status: (ctx) => plugin.status(ctx),
    podCidrChanged: (ctx, podCidr) => plugin.podCidrChanged(ctx, podCidr),
  };
}
