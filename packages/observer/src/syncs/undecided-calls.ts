/** Keeps the calls whose sync isn't known when they start: ImageStatus, and traced calls of Version. */
import type { CallRecord } from '../inputs.ts';
import { objectAt, textAt, textsAt } from '../state/fields.ts';
import type { PodName } from '../state/registry.ts';
import { isSameImage } from '../state/tagged-image.ts';
import { traceOf } from './assembler.ts';
import type { ObservedSync } from './sync.ts';

/** How long a call may wait until it is assigned to a sync, in milliseconds. */
const undecidedFor = 1_000;
/**
 * How often the kubelet requests the status of an image before it creates a container: to find out whether the runtime
 * has the image, and for the user that the image names. Upstream: EnsureImageExists, getImageUser (v1.36 and v1.20).
 */
const readsBeforeCreate = 2;

export class UndecidedCalls {
  readonly #calls = new Map<number, CallRecord>();

  /** Returns true if the kubelet pulls an image for a pod without requesting its status before. */
  pullsUnread: (pod: PodName, image: string) => boolean = () => false;

  /** Adds a call that starts. Returns false if its sync needn't be waited for. */
  started(call: CallRecord): boolean {
    const waits = call.method === 'ImageStatus' || (call.method === 'Version' && traceOf(call) !== undefined);
    if (waits) this.#calls.set(call.number, call);
    return waits;
  }

  /** Adds the result of a call that still waits. */
  ended(call: CallRecord): void {
    if (this.#calls.has(call.number)) this.#calls.set(call.number, call);
  }

  /** The calls that wait, in the order in which they started. */
  get all(): readonly CallRecord[] {
    return [...this.#calls.values()];
  }

  /** Returns the calls that have waited too long. */
  overdue(now: number): readonly CallRecord[] {
    return this.all.filter(({ t }) => t + undecidedFor < now);
  }

  /**
   * Returns the calls of the sync to which another call belongs: with the same trace or, without traces, as many of the
   * newest for its image as the kubelet makes. Other pods with the same image request its status, too.
   */
  claimedBy({ trace, pod }: Pick<ObservedSync, 'trace' | 'pod'>, { request }: CallRecord): readonly CallRecord[] {
    if (trace !== undefined) return this.all.filter((call) => traceOf(call) === trace);
    const pulled = textAt(request, 'image', 'image');
    const image = pulled || textAt(request, 'config', 'image', 'userSpecifiedImage');
    const ref = textAt(request, 'config', 'image', 'image');
    const reads = pulled === '' ? readsBeforeCreate : this.pullsUnread(pod, pulled) ? 0 : 1;
    return this.all
      .filter((call) => (image === '' ? hasAnswered(call, ref) : isOfImage(call, image)) && mayBeOf(call, pod.uid))
      .toReversed()
      .slice(0, reads)
      .toReversed();
  }

  /** Removes a call and returns it. Returns undefined if it doesn't wait. */
  take(number: number): CallRecord | undefined {
    const call = this.#calls.get(number);
    this.#calls.delete(number);
    return call;
  }
}

const isOfImage = ({ method, request }: CallRecord, image: string): boolean =>
  method === 'ImageStatus' && isSameImage(image, textAt(request, 'image', 'image'));

/**
 * Returns true if the answer has the image with this id or digest. An older kubelet names the image in CreateContainer
 * only by the id or digest in the answer. Upstream: kubeGenericRuntimeManager.GetImageRef (v1.20).
 */
function hasAnswered({ method, result }: CallRecord, ref: string): boolean {
  const image = objectAt(result?.response, 'image');
  if (method !== 'ImageStatus' || !image || ref === '') return false;
  return textAt(image, 'id') === ref || textsAt(image, 'repoDigests').includes(ref);
}

/** Returns false for a call of another static pod: the kubelet passes the annotations of the pod. */
function mayBeOf({ request }: CallRecord, uid: string): boolean {
  const hash = textAt(request, 'image', 'annotations', 'kubernetes.io/config.hash');
  return hash === '' || hash === uid;
}
