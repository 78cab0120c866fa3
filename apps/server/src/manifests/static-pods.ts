/** Brings the static pods of files and of a URL to the cluster, and tells what is wrong with them. */

import type { Cluster, StaticPodSource } from '@podscope/cluster';
import type { Pod } from '@podscope/k8s';
import { ManifestDirectory } from './manifest-directory.ts';
import { ManifestURL } from './manifest-url.ts';

type Notify = (message: string) => void;

/** Tells the person at the console, and the log of the run. */
const teller =
  (cluster: Cluster, notify: Notify): Notify =>
  (message) => {
    notify(message);
    const ctx = cluster.context('manifests');
    ctx.tracer.emit(ctx, { type: 'output', level: 'warning', message });
  };

/** All pods are delivered at every change; a refusal is told when it is new. */
function deliverer(cluster: Cluster, source: StaticPodSource, warn: Notify): (pods: readonly Pod[]) => void {
  let told = new Set<string>();
  return (pods) => {
    const refusals = cluster
      .setStaticPods(pods, source)
      .map(({ pod, message }) => `static pod ${pod.metadata.namespace}/${pod.metadata.name} is refused: ${message}`);
    for (const refusal of refusals) if (!told.has(refusal)) warn(refusal);
    told = new Set(refusals);
  };
}

/** A directory of manifests, watched once it is started. */
export function watchManifests(directory: string, nodeName: string, cluster: Cluster, notify: Notify): ManifestDirectory {
  const warn = teller(cluster, notify);
  return new ManifestDirectory({ directory, nodeName, onPods: deliverer(cluster, 'file', warn), onProblem: (path, message) => warn(`${path}: ${message}`) });
}

/** A URL of manifests, asked once it is started. */
export function pollManifests(url: string, nodeName: string, cluster: Cluster, notify: Notify): ManifestURL {
  const warn = teller(cluster, notify);
  return new ManifestURL({ url, nodeName, onPods: deliverer(cluster, 'http', warn), onProblem: (message) => warn(`${url}: ${message}`) });
}
