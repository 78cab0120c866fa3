/** The objects a node has from its start: itself, the namespaces, the API's service. */
import type { Namespace, Service } from '@podscope/k8s';
import { formatTime } from '@podscope/trace';
import { initialNode, type NodeObjectsOptions } from './node-object.ts';
import { newUid } from './random.ts';
import { immortalNamespaces } from './registry.ts';

/** Address of the API's service in a cluster of the usual service range. Nothing listens there: pods only read it in their environment. */
const apiServiceAddress = '10.96.0.1';

/** Makes what is missing of the namespaces, and the node and the service anew. */
export function createNodeObjects(options: NodeObjectsOptions): void {
  const { storage, clock, random } = options;
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
    spec: { type: 'ClusterIP', clusterIP: apiServiceAddress, ports: [{ name: 'https', protocol: 'TCP', port: 443, targetPort: 6443 }] },
  };
  storage.create('Service', service);
  storage.create('Node', initialNode(options));
}
