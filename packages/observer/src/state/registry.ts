/**
 * Remembers the pod of every sandbox and container, and assigns calls to pods. It learns ids from lists, statuses and
 * the answers of RunPodSandbox and CreateContainer.
 */
import type { CallMessage, ObservedCall } from '../inputs.ts';
import { numberAt, objectAt, textAt } from './fields.ts';
import { listedItems } from './lists.ts';

/** A pod, as the labels and metadata of the runtime's objects name it. */
export interface PodName {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
}

/** A container or sandbox that a call names. */
export interface KnownObject {
  readonly pod: PodName;
  /** Name of the container, or `POD` for a sandbox. */
  readonly name: string;
  readonly attempt: number;
}

const podOfLabels = (labels: CallMessage | undefined): PodName | undefined => {
  const uid = textAt(labels, 'io.kubernetes.pod.uid');
  return uid === ''
    ? undefined
    : { uid, namespace: textAt(labels, 'io.kubernetes.pod.namespace'), name: textAt(labels, 'io.kubernetes.pod.name') };
};

const podOfMetadata = (metadata: CallMessage | undefined): PodName | undefined => {
  const uid = textAt(metadata, 'uid');
  return uid === '' ? undefined : { uid, namespace: textAt(metadata, 'namespace'), name: textAt(metadata, 'name') };
};

export class ObjectRegistry {
  readonly #objects = new Map<string, KnownObject>();

  /** Returns the pod and the name that are known for the id of a sandbox or container. */
  get(id: string): KnownObject | undefined {
    return this.#objects.get(id);
  }

  /** Returns the object that a call's request names. */
  objectOf({ request }: Pick<ObservedCall, 'request'>): KnownObject | undefined {
    return this.#objects.get(textAt(request, 'containerId')) ?? this.#objects.get(textAt(request, 'podSandboxId'));
  }

  /** Returns the container that a call names or creates. */
  containerOf(call: Pick<ObservedCall, 'method' | 'request'>): Pick<KnownObject, 'name' | 'attempt'> | undefined {
    const metadata = objectAt(call.request, 'config', 'metadata');
    if (call.method === 'CreateContainer' && metadata)
      return { name: textAt(metadata, 'name'), attempt: numberAt(metadata, 'attempt') };
    const object = this.objectOf(call);
    return object?.name === 'POD' ? undefined : object;
  }

  /** Returns the pod that a call affects, or undefined for the node's own calls. */
  podOf(call: Pick<ObservedCall, 'method' | 'request'>): PodName | undefined {
    const { method, request } = call;
    switch (method) {
      case 'RunPodSandbox':
        return podOfMetadata(objectAt(request, 'config', 'metadata'));
      case 'CreateContainer':
        return (
          podOfMetadata(objectAt(request, 'sandboxConfig', 'metadata')) ??
          podOfLabels(objectAt(request, 'config', 'labels')) ??
          this.objectOf(call)?.pod
        );
      case 'PullImage':
        return podOfMetadata(objectAt(request, 'sandboxConfig', 'metadata'));
      case 'ListPodSandbox':
      case 'StreamPodSandboxes':
      case 'ListContainers':
      case 'StreamContainers': {
        const uid = textAt(request, 'filter', 'labelSelector', 'io.kubernetes.pod.uid');
        return uid === '' ? undefined : (this.#podWith(uid) ?? { uid, namespace: '', name: '' });
      }
      default:
        return this.objectOf(call)?.pod;
    }
  }

  #podWith(uid: string): PodName | undefined {
    for (const { pod } of this.#objects.values()) if (pod.uid === uid) return pod;
    return undefined;
  }

  /** Stores the ids that a call's answer contains. */
  learn({ method, request }: Pick<ObservedCall, 'method' | 'request'>, response: CallMessage | undefined): void {
    switch (method) {
      case 'RunPodSandbox': {
        const metadata = objectAt(request, 'config', 'metadata');
        this.#add(textAt(response, 'podSandboxId'), podOfMetadata(metadata), 'POD', numberAt(metadata, 'attempt'));
        return;
      }
      case 'CreateContainer': {
        const metadata = objectAt(request, 'config', 'metadata');
        const pod = this.podOf({ method, request });
        this.#add(textAt(response, 'containerId'), pod, textAt(metadata, 'name'), numberAt(metadata, 'attempt'));
        return;
      }
      case 'ListPodSandbox':
      case 'StreamPodSandboxes':
        for (const item of listedItems(method, response)) this.#learnSandbox(item);
        return;
      case 'ListContainers':
      case 'StreamContainers':
        for (const item of listedItems(method, response)) this.#learnContainer(item);
        return;
      case 'PodSandboxStatus':
        this.#learnSandbox(objectAt(response, 'status'));
        return;
      case 'ContainerStatus':
        this.#learnContainer(objectAt(response, 'status'));
        return;
      default:
    }
  }

  /** Forgets the objects of a pod. Returns their ids. */
  forget(uid: string): readonly string[] {
    const ids = [...this.#objects].flatMap(([id, { pod }]) => (pod.uid === uid ? [id] : []));
    for (const id of ids) this.#objects.delete(id);
    return ids;
  }

  #learnSandbox(item: CallMessage | undefined): void {
    const metadata = objectAt(item, 'metadata');
    this.#add(textAt(item, 'id'), podOfMetadata(metadata), 'POD', numberAt(metadata, 'attempt'));
  }

  #learnContainer(item: CallMessage | undefined): void {
    const pod = podOfLabels(objectAt(item, 'labels')) ?? this.#objects.get(textAt(item, 'podSandboxId'))?.pod;
    const metadata = objectAt(item, 'metadata');
    this.#add(textAt(item, 'id'), pod, textAt(metadata, 'name'), numberAt(metadata, 'attempt'));
  }

  #add(id: string, pod: PodName | undefined, name: string, attempt: number): void {
    if (id !== '' && pod && !this.#objects.has(id)) this.#objects.set(id, { pod, name, attempt });
  }
}
