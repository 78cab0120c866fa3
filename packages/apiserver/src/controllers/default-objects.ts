/**
 * Creates the objects every cluster has: its namespaces and the Service of the API. Upstream: systemnamespaces,
 * kubernetesservice (v1.36).
 */
import type { Namespace, Service } from '@podscope/k8s';
import { type Clock, formatTime } from '@podscope/trace';
import { newUid, type Random } from '../random.ts';
import { immortalNamespaces } from '../registry/registry.ts';
import type { Storage } from '../storage/storage.ts';

/** Cluster IP of the `kubernetes` Service. Pods read it in their environment; no process listens there. */
const apiServiceAddress = '10.96.0.1';

export interface DefaultObjectsOptions {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly random: Random;
}

/** Creates the missing namespaces and replaces the `kubernetes` Service. */
export function createDefaultObjects({ storage, clock, random }: DefaultObjectsOptions): void {
  const metadata = (name: string, namespace?: string) => ({
    name,
    ...(namespace === undefined ? {} : { namespace }),
    uid: newUid(random),
    creationTimestamp: formatTime(clock.now()),
  });
  for (const name of immortalNamespaces) {
    if (storage.get('Namespace', undefined, name)) continue;
    const namespace: Namespace = {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { ...metadata(name), labels: { 'kubernetes.io/metadata.name': name } },
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    };
    storage.create('Namespace', namespace);
  }
  const service: Service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { ...metadata('kubernetes', 'default'), labels: { component: 'apiserver', provider: 'kubernetes' } },
    spec: {
      type: 'ClusterIP',
      clusterIP: apiServiceAddress,
      ports: [{ name: 'https', protocol: 'TCP', port: 443, targetPort: 6443 }],
    },
  };
  storage.create('Service', service);
}
