/** Finds the kubelet's work that waits while a call is held. */
import type { OpenCall } from '../call-writer.ts';
import type { AwaitedPull } from './missing-images.ts';
import type { PodName } from './registry.ts';

/** Work of the kubelet that waits while a call is held. */
export interface WaitingWork {
  /** Another call of the same pod, or the pull of another pod. */
  readonly reason: 'pod' | 'imagePull';
  readonly pod: PodName;
  /** The method of the call, or the image. */
  readonly what: string;
}

/**
 * Returns the other calls of the pod of a held call, and, for a pull, the pulls of other pods.
 * @param calls all calls in flight
 * @param awaited the pulls that the kubelet hasn't requested; empty if it pulls images in parallel
 */
export function waitingWork(
  held: OpenCall,
  calls: readonly OpenCall[],
  awaited: readonly AwaitedPull[],
): readonly WaitingWork[] {
  const others = calls.flatMap(({ call, pod }): WaitingWork[] =>
    call.number !== held.call.number && pod && pod.uid === held.pod?.uid
      ? [{ reason: 'pod', pod, what: call.method }]
      : [],
  );
  if (held.call.method !== 'PullImage') return others;
  const pulls = awaited.flatMap(({ pod, image }): WaitingWork[] => {
    const isPulling = calls.some(({ call, pod: puller }) => call.method === 'PullImage' && puller?.uid === pod.uid);
    return isPulling ? [] : [{ reason: 'imagePull', pod, what: image }];
  });
  return [...others, ...pulls];
}
