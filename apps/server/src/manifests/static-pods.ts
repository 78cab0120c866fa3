/** Passes static pods from files and from a URL to the node, and reports errors in them. */

import type { Pod } from '@podscope/k8s';
import type { NodeHost, StaticPodSource } from '@podscope/node';
import { ManifestDirectory } from './manifest-directory.ts';
import { ManifestURL } from './manifest-url.ts';
import type { StaticPodReader } from './static-pod.ts';

type Notify = (message: string) => void;

/** The host of the current node. A rerun of a simulation replaces `nodeHost`. */
interface Target {
  readonly nodeHost: Pick<NodeHost, 'change'>;
}

/** Returns a function that prints a warning on the console and adds it to the run. */
const reporter =
  (target: Target, notify: Notify): Notify =>
  (message) => {
    notify(message);
    void target.nodeHost.change((nodeHost) => {
      const ctx = nodeHost.context('manifests');
      ctx.tracer.emit(ctx, { type: 'output', level: 'warning', message });
    });
  };

/**
 * Returns a function that passes all pods of a source to the node. If the node rejects a pod, the function reports this
 * once.
 */
function deliverer(target: Target, source: StaticPodSource, warn: Notify): (pods: readonly Pod[]) => void {
  let reported = new Set<string>();
  const deliver = async (pods: readonly Pod[]): Promise<void> => {
    const refused = await target.nodeHost.change((nodeHost) => nodeHost.setStaticPods(pods, source));
    const refusals = refused.map(
      ({ pod, message }) => `static pod ${pod.metadata.namespace}/${pod.metadata.name} is refused: ${message}`,
    );
    for (const refusal of refusals) if (!reported.has(refusal)) warn(refusal);
    reported = new Set(refusals);
  };
  return (pods) => void deliver(pods);
}

/** Returns a watch of a manifest directory. */
export function watchManifests(
  directory: string,
  { nodeName, profile }: StaticPodReader,
  target: Target,
  notify: Notify,
): ManifestDirectory {
  const warn = reporter(target, notify);
  return new ManifestDirectory({
    directory,
    nodeName,
    profile,
    onPods: deliverer(target, 'file', warn),
    onProblem: (path, message) => warn(`${path}: ${message}`),
  });
}

/** Returns a poller of a manifest URL. */
export function pollManifests(
  url: string,
  { nodeName, profile }: StaticPodReader,
  target: Target,
  notify: Notify,
): ManifestURL {
  const warn = reporter(target, notify);
  return new ManifestURL({
    url,
    nodeName,
    profile,
    onPods: deliverer(target, 'http', warn),
    onProblem: (message) => warn(`${url}: ${message}`),
  });
}
