/** What a row of the pods list says, and what a screen reader says for it. */
import { describePodForPeople, type PodDescription, type PodTrack } from '@podscope/trace';
import { formatAge, formatCount, formatCountdown } from '../ui/format.ts';

export interface PodRowText {
  readonly description: PodDescription;
  /** `1/2` */
  readonly ready: string;
  readonly age: string;
  /** What is being waited for, and how long still: `0:07`. */
  readonly countdown: { readonly text: string; readonly title: string } | undefined;
  /** All of it in words. */
  readonly label: string;
}

const timeOf = (value: unknown): number | undefined => {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
};

/** When the API will give up waiting for the pod to go; undefined unless it is being deleted. */
export function deletionDeadline(pod: PodTrack): number | undefined {
  const metadata = pod.object?.['metadata'];
  if (typeof metadata !== 'object' || metadata === null || pod.deletedAt !== undefined) return undefined;
  return timeOf(Reflect.get(metadata, 'deletionTimestamp'));
}

export function createdAt(pod: PodTrack): number {
  const metadata = pod.object?.['metadata'];
  return (typeof metadata === 'object' && metadata !== null ? timeOf(Reflect.get(metadata, 'creationTimestamp')) : undefined) ?? pod.firstTime;
}

function countdownOf(pod: PodTrack, description: PodDescription, now: number): PodRowText['countdown'] {
  const deadline = deletionDeadline(pod);
  if (deadline !== undefined) {
    if (deadline <= now) return { text: 'due', title: 'The grace period is over' };
    return { text: formatCountdown(deadline - now), title: 'Grace period left' };
  }
  const { backOff } = description;
  if (!backOff) return undefined;
  if (backOff.remaining === 0) return { text: 'due', title: 'The back-off is over; the next sync tries again' };
  return { text: formatCountdown(backOff.remaining), title: backOff.kind === 'image' ? 'Until the next pull' : 'Until the next start' };
}

/** @param now the node's clock, ms since the Unix epoch */
export function podRowText(pod: PodTrack, now: number): PodRowText {
  const description = describePodForPeople(pod, now);
  const ready = `${description.ready}/${description.total}`;
  const age = formatAge((pod.deletedAt ?? now) - createdAt(pod));
  const countdown = countdownOf(pod, description, now);
  const words = [
    pod.name,
    ...(pod.namespace === 'default' ? [] : [`namespace ${pod.namespace}`]),
    description.status,
    `${ready} ready`,
    ...(description.restarts > 0 ? [formatCount(description.restarts, 'restart')] : []),
  ];
  return { description, ready, age, countdown, label: words.join(', ') };
}
