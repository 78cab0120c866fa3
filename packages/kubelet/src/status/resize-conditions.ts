/**
 * Stores the conditions PodResizePending and PodResizeInProgress of each pod, separately from the generated status.
 * Upstream: status manager SetPodResize… (v1.36).
 */
import type { PodCondition } from '@podscope/k8s';

type ResizeConditionType = 'PodResizePending' | 'PodResizeInProgress';

/** The resize conditions of all pods. */
export class ResizeConditions {
  readonly #conditions = new Map<string, Map<ResizeConditionType, PodCondition>>();

  /** Returns the resize conditions of a pod, in the order in which the status lists them. */
  get(uid: string): readonly PodCondition[] {
    const conditions = this.#conditions.get(uid);
    return (['PodResizePending', 'PodResizeInProgress'] as const)
      .map((type) => conditions?.get(type))
      .filter((condition) => condition !== undefined);
  }

  /** Sets a condition. Returns false when it didn't change. */
  set(
    uid: string,
    type: ResizeConditionType,
    generation: number | undefined,
    reason: string,
    message: string,
  ): boolean {
    const conditions = this.#conditions.get(uid) ?? new Map<ResizeConditionType, PodCondition>();
    const before = conditions.get(type);
    if (
      before &&
      before.reason === (reason || undefined) &&
      before.message === (message || undefined) &&
      before.observedGeneration === (generation || undefined)
    ) {
      return false;
    }
    conditions.set(type, {
      type,
      ...(generation ? { observedGeneration: generation } : {}),
      status: 'True',
      lastProbeTime: null,
      lastTransitionTime: null,
      ...(reason ? { reason } : {}),
      ...(message ? { message } : {}),
    });
    this.#conditions.set(uid, conditions);
    return true;
  }

  /** Restores the conditions that an earlier kubelet wrote to the API. Upstream: HandlePodAdditions (v1.36). */
  restore(uid: string, conditions: readonly PodCondition[] = []): void {
    if (this.#conditions.has(uid)) return;
    for (const condition of conditions) {
      if (
        condition.status !== 'True' ||
        (condition.type !== 'PodResizePending' && condition.type !== 'PodResizeInProgress')
      )
        continue;
      this.set(uid, condition.type, condition.observedGeneration, condition.reason ?? '', condition.message ?? '');
    }
  }

  /** Removes a condition. Returns false when it wasn't set. */
  clear(uid: string, type: ResizeConditionType): boolean {
    return this.#conditions.get(uid)?.delete(type) ?? false;
  }

  /** Removes the conditions of all pods except these. */
  retain(uids: ReadonlySet<string>): void {
    for (const uid of this.#conditions.keys()) if (!uids.has(uid)) this.#conditions.delete(uid);
  }
}
