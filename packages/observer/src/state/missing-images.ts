/**
 * Finds the pods that wait for an image pull. The kubelet pulls one image at a time by default, and requests the next
 * pull only when the previous one has ended. Upstream: images.serialImagePuller.
 */
import type { Pod } from '@podscope/k8s';
import type { CallMessage, CallRecord } from '../inputs.ts';
import { objectAt, textAt } from './fields.ts';
import { containersOf } from './probes.ts';
import type { PodName } from './registry.ts';
import { taggedImage } from './tagged-image.ts';

/** A pod that needs an image which the runtime doesn't have and whose pull the kubelet hasn't requested. */
export interface AwaitedPull {
  readonly pod: PodName;
  readonly image: string;
}

const requested = (request: CallMessage | undefined): string => textAt(request, 'image', 'image');

/** Remembers which images the runtime lacked when the kubelet asked for them. */
export class MissingImages {
  readonly #missing = new Set<string>();

  /** Applies the start of a call: the kubelet requests the pull of an image. */
  started({ method, request }: Pick<CallRecord, 'method' | 'request'>): void {
    if (method === 'PullImage') this.#missing.delete(requested(request));
  }

  /** Applies an answer of ImageStatus. */
  answered({ method, request }: CallRecord, response: CallMessage | undefined): void {
    if (method !== 'ImageStatus') return;
    const image = requested(request);
    if (textAt(objectAt(response, 'image'), 'id') === '') this.#missing.add(image);
    else this.#missing.delete(image);
  }

  /**
   * Returns the pulls for which pods wait. A container in a back-off asks for its image as well, but doesn't wait for a
   * pull.
   */
  awaitedBy(pods: readonly Pod[]): readonly AwaitedPull[] {
    return pods.flatMap((pod) => {
      const { uid, name, namespace = '' } = pod.metadata;
      const statuses = [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])];
      const waits = containersOf(pod).find(({ name: container, image }) => {
        if (!this.#missing.has(taggedImage(image ?? ''))) return false;
        const reason = statuses.find((status) => status.name === container)?.state?.waiting?.reason;
        return reason !== 'ImagePullBackOff' && reason !== 'ErrImagePull';
      });
      return waits ? [{ pod: { uid, name, namespace }, image: waits.image ?? '' }] : [];
    });
  }
}
