/** Implements the API client of a standalone kubelet: it finds no objects and discards writes. */
import type { KubeClient } from '@podscope/kubelet';

const none = (): Promise<undefined> => Promise.resolve(undefined);

/** Rejects as upstream's makeEnvironmentVariables (v1.20) does without a client. */
const absent = (kind: string, namespace: string, name: string): Promise<never> =>
  Promise.reject(new Error(`couldn't get ${kind} ${namespace}/${name}, no kubeClient defined`));

export const standaloneClient: KubeClient = {
  getPod: none,
  patchPodStatus: none,
  deletePod: () => Promise.resolve(false),
  createPod: (pod) => Promise.resolve(pod),
  getSecret: (namespace, name) => absent('secret', namespace, name),
  getConfigMap: (namespace, name) => absent('configMap', namespace, name),
  getRuntimeClass: none,
  createServiceAccountToken: () => Promise.reject(new Error('there is no API server to issue tokens')),
  listServices: () => Promise.resolve([]),
  getNode: none,
};
