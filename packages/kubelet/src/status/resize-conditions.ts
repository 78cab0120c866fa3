/**
 * Stores the conditions PodResizePending and PodResizeInProgress of each pod, separately from the generated status.
 * Upstream: status manager SetPodResize… (pkg/kubelet/status/status_manager.go, v1.36).
 */
import type { PodCondition } from '@podscope/k8s';
import { formatTime, type Instant } from '@podscope/trace';

/** The types of resize conditions, in the order in which the status lists them. */
export const resizeConditionTypes = ['PodResizePending', 'PodResizeInProgress'] as const;

type ResizeConditionType = (typeof resizeConditionTypes)[number];

/** The parts of a resize condition that its creator chooses. */
interface ResizeConditionText {
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  /** The generation of the pod whose resources the condition is about. */
  readonly observedGeneration?: number | undefined;
}

/** The resize conditions of all pods. */
export class ResizeConditions {
  readonly #conditions = new Map<string, Map<ResizeConditionType, PodCondition>>();

  /** Returns the resize conditions of a pod. */
  get(uid: string): readonly PodCondition[] {
    return resizeConditionTypes.map((type) => this.#find(uid, type)).filter((condition) => condition !== undefined);
  }

  /**
   * Sets the condition of a resize that hasn't been granted. Upstream: SetPodResizePendingCondition.
   * @returns true when reason or generation changed; a new message alone counts as no change
   */
  setPending(uid: string, now: Instant, text: ResizeConditionText): boolean {
    const before = this.#find(uid, 'PodResizePending');
    const after = this.#set(uid, 'PodResizePending', now, text);
    return before?.reason !== after.reason || before?.observedGeneration !== after.observedGeneration;
  }

  /**
   * Sets the condition of a resize that is being applied. A condition that exists keeps its generation and, when `text`
   * has neither reason nor message, these too. Upstream: SetPodResizeInProgressCondition.
   * @returns the condition, and whether it changed apart from its times
   */
  setInProgress(uid: string, now: Instant, text: ResizeConditionText): { condition: PodCondition; changed: boolean } {
    const before = this.#find(uid, 'PodResizeInProgress');
    const { reason, message } = text.reason || text.message ? text : (before ?? text);
    const { observedGeneration } = before ?? text;
    const condition = this.#set(uid, 'PodResizeInProgress', now, { reason, message, observedGeneration });
    return { condition, changed: before?.reason !== condition.reason || before?.message !== condition.message };
  }

  /**
   * Restores the conditions that an earlier kubelet wrote to the API. Their times are those of this kubelet. Upstream:
   * BackfillPodResizeConditions.
   */
  restore(uid: string, now: Instant, conditions: readonly PodCondition[] = []): void {
    for (const condition of conditions) {
      const { type } = condition;
      if (type !== 'PodResizePending' && type !== 'PodResizeInProgress') continue;
      this.clear(uid, type);
      this.#set(uid, type, now, condition);
    }
  }

  /** Removes a condition and returns it; undefined when it wasn't set. */
  clear(uid: string, type: ResizeConditionType): PodCondition | undefined {
    const condition = this.#find(uid, type);
    this.#conditions.get(uid)?.delete(type);
    return condition;
  }

  /** Removes the conditions of all pods except these. */
  retain(uids: ReadonlySet<string>): void {
    for (const uid of this.#conditions.keys()) if (!uids.has(uid)) this.#conditions.delete(uid);
  }

  #find(uid: string, type: ResizeConditionType): PodCondition | undefined {
    return this.#conditions.get(uid)?.get(type);
  }

  /** Replaces a condition. lastTransitionTime changes with the reason only. Upstream: updatedPodResizeCondition. */
  #set(
    uid: string,
    type: ResizeConditionType,
    now: Instant,
    { reason, message, observedGeneration }: ResizeConditionText,
  ): PodCondition {
    const before = this.#find(uid, type);
    const time = formatTime(now);
    const condition: PodCondition = {
      type,
      ...(observedGeneration ? { observedGeneration } : {}),
      status: 'True',
      lastProbeTime: time,
      lastTransitionTime: before && before.reason === (reason || undefined) ? before.lastTransitionTime : time,
      ...(reason ? { reason } : {}),
      ...(message ? { message } : {}),
    };
    const conditions = this.#conditions.get(uid) ?? new Map<ResizeConditionType, PodCondition>();
    this.#conditions.set(uid, conditions.set(type, condition));
    return condition;
  }
}
