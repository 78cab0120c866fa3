/**
 * Implements the kubelet's API client, which calls the storage directly. The registry's admission doesn't apply to it.
 */

import {
  ApiError,
  checkNamespaceTakes,
  newUid,
  type Random,
  type Storage,
  type TokenIssuer,
} from '@podscope/apiserver';
import { admissionDefaults, type Node, type Pod, type PodStatus, trackUpdate, writableSchemas } from '@podscope/k8s';
import type { KubeClient } from '@podscope/kubelet';
import { type Clock, formatTime } from '@podscope/trace';

export interface KubeClientOptions {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly random: Random;
  readonly nodeName: string;
  readonly tokens: TokenIssuer;
}

/** Returns the result of `action`; undefined if the object doesn't exist any more or was replaced. */
function unlessGone<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    if (error instanceof ApiError && (error.reason === 'NotFound' || error.reason === 'Conflict')) return undefined;
    throw error;
  }
}

/** Returns the pod with a new status. The kubelet becomes the manager of the changed fields. */
function withStatus(pod: Pod, status: PodStatus, time: string): Pod {
  const next = { ...pod, status };
  const managedFields = trackUpdate(writableSchemas.Pod, pod, next, {
    name: 'kubelet',
    apiVersion: 'v1',
    time,
    subresource: 'status',
  });
  return { ...next, metadata: { ...next.metadata, managedFields } };
}

/** Returns a client for the storage of the same process. */
export function createKubeClient({ storage, clock, random, nodeName, tokens }: KubeClientOptions): KubeClient {
  return {
    getPod: (namespace, name) => Promise.resolve(storage.get('Pod', namespace, name)),
    patchPodStatus: (namespace: string, name: string, uid: string, status: PodStatus): Promise<Pod | undefined> =>
      Promise.resolve(
        unlessGone(() =>
          storage.update('Pod', namespace, name, (pod) => withStatus(pod, status, formatTime(clock.now())), { uid }),
        ),
      ),
    async deletePod(namespace, name, uid) {
      const pod = storage.get('Pod', namespace, name);
      if (!pod || pod.metadata.uid !== uid) return false;
      // A pod that has finalizers isn't removed yet.
      if ((pod.metadata.finalizers?.length ?? 0) === 0)
        return unlessGone(() => storage.remove('Pod', namespace, name, { uid })) !== undefined;
      const metadata = {
        ...pod.metadata,
        deletionTimestamp: pod.metadata.deletionTimestamp ?? formatTime(clock.now()),
        deletionGracePeriodSeconds: 0,
      };
      const update = (current: Pod): Pod => ({ ...current, metadata: { ...current.metadata, ...metadata } });
      return unlessGone(() => storage.update('Pod', namespace, name, update, { uid })) !== undefined;
    },
    async createPod(pod) {
      const { resourceVersion: _, ...metadata } = pod.metadata;
      checkNamespaceTakes(storage, 'pods', metadata.name, metadata.namespace ?? '');
      const { priority, preemptionPolicy } = admissionDefaults(pod).spec;
      return storage.create('Pod', {
        ...pod,
        metadata: { ...metadata, generation: 1, uid: newUid(random), creationTimestamp: formatTime(clock.now()) },
        spec: { ...pod.spec, priority, preemptionPolicy },
      });
    },
    getSecret: (namespace, name) => Promise.resolve(storage.get('Secret', namespace, name)),
    getConfigMap: (namespace, name) => Promise.resolve(storage.get('ConfigMap', namespace, name)),
    getRuntimeClass: (name) => Promise.resolve(storage.get('RuntimeClass', undefined, name)),
    createServiceAccountToken: async (namespace, name, request) => tokens.issue(namespace, name, request),
    listServices: (namespace) => Promise.resolve(storage.list('Service', namespace)),
    getNode: (): Promise<Node | undefined> => Promise.resolve(storage.get('Node', undefined, nodeName)),
  };
}
