/** What stands in for the API where there is none: it has nothing and takes nothing. */
import type { KubeClient } from '@podscope/kubelet';

const none = (): Promise<undefined> => Promise.resolve(undefined);

export const standaloneClient: KubeClient = {
  getPod: none,
  patchPodStatus: none,
  deletePod: none,
  createPod: (pod) => Promise.resolve(pod),
  getSecret: none,
  getConfigMap: none,
  createServiceAccountToken: () => Promise.reject(new Error('there is no API server to issue tokens')),
  listServices: () => Promise.resolve([]),
  getNode: none,
};
