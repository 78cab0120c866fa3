/** Normalizes every status before it is stored: sets the times of conditions and limits the length of messages. */
import type { PodStatus as ApiPodStatus, ContainerState, ContainerStatus, PodCondition } from '@podscope/k8s';
import { formatTime, type Instant } from '@podscope/trace';
import { statusEqual } from '../../util/status-equal.ts';
import { disruptionTarget, kubeletConditionTypes } from '../conditions.ts';

/** The limit of all termination messages in a pod's status, in bytes. */
const maxPodTerminationMessageLogLength = 12_288;

/**
 * Returns the condition with the time of its change: that of the old condition if their statuses are equal, otherwise
 * `now`. Upstream: updateLastTransitionTime.
 */
export function withTransitionTime(old: ApiPodStatus, condition: PodCondition, now: Instant): PodCondition {
  const before = old.conditions?.find(({ type }) => type === condition.type);
  const same = before?.status === condition.status;
  return { ...condition, lastTransitionTime: (same && before?.lastTransitionTime) || formatTime(now) };
}

/** Returns true for a condition that only the kubelet or also the kubelet sets. */
const isByKubelet = ({ type }: PodCondition): boolean => kubeletConditionTypes.has(type) || type === disruptionTarget;

const isStamped = (condition: PodCondition): boolean =>
  isByKubelet(condition) && !condition.type.startsWith('PodResize');

/**
 * Sets startTime if it is missing, and lastTransitionTime of each condition whose status changed, except of the resize
 * conditions, which have their own times. The observed generation never decreases. Upstream: updateStatusInternal.
 */
export function stampStatus(old: ApiPodStatus, status: ApiPodStatus, now: Instant): ApiPodStatus {
  const stamp = (condition: PodCondition): PodCondition =>
    isStamped(condition) ? withTransitionTime(old, condition, now) : condition;
  const generation = Math.max(old.observedGeneration ?? 0, status.observedGeneration ?? 0);
  return {
    ...status,
    ...(generation ? { observedGeneration: generation } : {}),
    startTime: old.startTime ?? formatTime(now),
    ...(status.conditions ? { conditions: status.conditions.map(stamp) } : {}),
  };
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Returns true for a byte inside a character of UTF-8. */
const isInside = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** Returns the first `limit` bytes of a text. Each byte of a character that is cut becomes U+FFFD, as in JSON of Go. */
function firstBytes(text: string, limit: number): string {
  const bytes = encoder.encode(text);
  if (bytes.length <= limit) return text;
  let whole = limit;
  while (isInside(bytes[whole])) whole--;
  return decoder.decode(bytes.subarray(0, whole)) + '\ufffd'.repeat(limit - whole);
}

/** Truncates each termination message to an equal share of the pod's limit. Upstream: normalizeStatus. */
export function normalizeStatus(status: ApiPodStatus, shares: number): ApiPodStatus {
  const limit = Math.floor(maxPodTerminationMessageLogLength / Math.max(1, shares));
  const cut = (state: ContainerState | undefined): ContainerState | undefined => {
    const message = state?.terminated?.message;
    if (!state?.terminated || message === undefined) return state;
    return { ...state, terminated: { ...state.terminated, message: firstBytes(message, limit) } };
  };
  const cutAll = (list: readonly ContainerStatus[]): readonly ContainerStatus[] =>
    list.map((container) => ({ ...container, state: cut(container.state), lastState: cut(container.lastState) }));
  return {
    ...status,
    ...(status.containerStatuses ? { containerStatuses: cutAll(status.containerStatuses) } : {}),
    ...(status.initContainerStatuses ? { initContainerStatuses: cutAll(status.initContainerStatuses) } : {}),
    ...(status.ephemeralContainerStatuses
      ? { ephemeralContainerStatuses: cutAll(status.ephemeralContainerStatuses) }
      : {}),
  };
}

const own = ({ conditions }: ApiPodStatus): readonly unknown[] =>
  (conditions ?? [])
    .filter(isByKubelet)
    .map(({ type, status, reason, message }) => ({
      type,
      status,
      reason: reason || undefined,
      message: message || undefined,
    }))
    .toSorted((a, b) => (a.type < b.type ? -1 : 1));

/**
 * True when two statuses have equal values in all fields that the kubelet owns. Upstream: isPodStatusByKubeletEqual.
 */
export const isPodStatusByKubeletEqual = (a: ApiPodStatus, b: ApiPodStatus): boolean =>
  statusEqual(own(a), own(b)) && statusEqual({ ...a, conditions: undefined }, { ...b, conditions: undefined });
