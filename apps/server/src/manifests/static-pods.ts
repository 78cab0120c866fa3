/** Brings the static pods of files and of a URL to the cluster, and tells what is wrong with them. */

import type { Cluster, StaticPodSource } from '@podscope/cluster';
import type { Pod } from '@podscope/k8s';
import { ManifestDirectory } from './manifest-directory.ts';
import { ManifestURL } from './manifest-url.ts';
import type { StaticPodReader } from './static-pod.ts';

type Notify = (message: string) => void;

/** The cluster as it is now: a simulation that runs again has another one. */
interface Target {
  readonly cluster: Pick<Cluster, 'change'>;
}

/** Tells the person at the console, and the log of the run. */
const teller =
  (target: Target, notify: Notify): Notify =>
  (message) => {
    notify(message);
    void target.cluster.change((cluster) => {
      const ctx = cluster.context('manifests');
      ctx.tracer.emit(ctx, { type: 'output', level: 'warning', message });
    });
  };

/** All pods are delivered at every change; a refusal is told when it is new. */
function deliverer(target: Target, source: StaticPodSource, warn: Notify): (pods: readonly Pod[]) => void {
  let told = new Set<string>();
  const deliver = async (pods: readonly Pod[]): Promise<void> => {
    const refused = await target.cluster.change((cluster) => cluster.setStaticPods(pods, source));
    const refusals = refused.map(({ pod, message }) => `static pod ${pod.metadata.namespace}/${pod.metadata.name} is refused: ${message}`);
    for (const refusal of refusals) if (!told.has(refusal)) warn(refusal);
    told = new Set(refusals);
  };
  return (pods) => void deliver(pods);
}

/** A directory of manifests, watched once it is started. */
export function watchManifests(directory: string, { nodeName, profile }: StaticPodReader, target: Target, notify: Notify): ManifestDirectory {
  const warn = teller(target, notify);
  return new ManifestDirectory({
    directory,
    nodeName,
    profile,
    onPods: deliverer(target, 'file', warn),
    onProblem: (path, message) => warn(`${path}: ${message}`),
  });
}

/** A URL of manifests, asked once it is started. */
export function pollManifests(url: string, { nodeName, profile }: StaticPodReader, target: Target, notify: Notify): ManifestURL {
  const warn = teller(target, notify);
  return new ManifestURL({ url, nodeName, profile, onPods: deliverer(target, 'http', warn), onProblem: (message) => warn(`${url}: ${message}`) });
}
