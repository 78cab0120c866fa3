/** What a row of the pods list says, and what a screen reader says for it. */
import { describePodForPeople, type PodDescription, type PodTrack } from '@podscope/trace';
import { translate } from '../i18n/i18n.ts';
import { formatAge, formatCountdown } from '../ui/format.ts';
import { podMessages as texts } from './messages.en.ts';

export interface PodRowText {
  readonly description: PodDescription;
  /** `1/2` */
  readonly ready: string;
  readonly age: string;
  /** What is being waited for, and how long still: `0:07`. */
  readonly countdown: { readonly text: string; readonly title: string; readonly isDue: boolean } | undefined;
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
    if (deadline <= now) return { text: translate(texts.due), title: translate(texts.graceOver), isDue: true };
    return { text: formatCountdown(deadline - now), title: translate(texts.graceLeft), isDue: false };
  }
  const { backOff } = description;
  if (!backOff) return undefined;
  if (backOff.remaining === 0) return { text: translate(texts.due), title: translate(texts.backOffOver), isDue: true };
  return { text: formatCountdown(backOff.remaining), title: translate(backOff.kind === 'image' ? texts.untilPull : texts.untilStart), isDue: false };
}

/** @param now the node's clock, ms since the Unix epoch */
export function podRowText(pod: PodTrack, now: number): PodRowText {
  const description = describePodForPeople(pod, now);
  const ready = `${description.ready}/${description.total}`;
  const age = formatAge((pod.deletedAt ?? now) - createdAt(pod));
  const countdown = countdownOf(pod, description, now);
  const words = [
    pod.name,
    ...(pod.namespace === 'default' ? [] : [translate(texts.namespace, { namespace: pod.namespace })]),
    description.status,
    translate(texts.ready, { ready }),
    ...(description.restarts > 0 ? [translate(texts.restarts, { count: description.restarts })] : []),
  ];
  return { description, ready, age, countdown, label: words.join(', ') };
}
