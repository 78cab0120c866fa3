/** Formats a row of the pod list: the visible texts, and the text for screen readers. */
import { describePodForPeople, type PodDescription, type PodTrack } from '@podscope/trace';
import { translate } from '../../base/i18n/i18n.ts';
import { formatAge, formatCountdown } from '../../base/ui/text/format.ts';
import { podTextMessages } from './messages.en.ts';

export interface PodRowText {
  readonly description: PodDescription;
  /** Ready and total containers: `1/2`. */
  readonly ready: string;
  readonly age: string;
  /** The remaining time of the back-off or grace period: `0:07`. */
  readonly countdown: { readonly text: string; readonly title: string; readonly isDue: boolean } | undefined;
  /** Accessible name of the row. */
  readonly label: string;
}

const timeOf = (value: unknown): number | undefined => {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
};

/**
 * Returns the end of the grace period, in milliseconds since the Unix epoch; undefined unless the pod is terminating.
 */
export function deletionDeadline(pod: PodTrack): number | undefined {
  const metadata = pod.object?.['metadata'];
  if (typeof metadata !== 'object' || metadata === null || pod.deletedAt !== undefined) return undefined;
  return timeOf(Reflect.get(metadata, 'deletionTimestamp'));
}

export function createdAt(pod: PodTrack): number {
  const metadata = pod.object?.['metadata'];
  return (
    (typeof metadata === 'object' && metadata !== null
      ? timeOf(Reflect.get(metadata, 'creationTimestamp'))
      : undefined) ?? pod.firstTime
  );
}

function countdownOf(pod: PodTrack, description: PodDescription, now: number): PodRowText['countdown'] {
  const deadline = deletionDeadline(pod);
  if (deadline !== undefined) {
    if (deadline <= now)
      return { text: translate(podTextMessages.due), title: translate(podTextMessages.graceOver), isDue: true };
    return { text: formatCountdown(deadline - now), title: translate(podTextMessages.graceLeft), isDue: false };
  }
  const { backOff } = description;
  if (!backOff) return undefined;
  if (backOff.remaining === 0)
    return { text: translate(podTextMessages.due), title: translate(podTextMessages.backOffOver), isDue: true };
  return {
    text: formatCountdown(backOff.remaining),
    title: translate(backOff.kind === 'image' ? podTextMessages.untilPull : podTextMessages.untilStart),
    isDue: false,
  };
}

/** Returns the texts of a row. @param now the node's clock, in milliseconds since the Unix epoch */
export function podRowText(pod: PodTrack, now: number): PodRowText {
  const description = describePodForPeople(pod, now);
  const ready = `${description.ready}/${description.total}`;
  const age = formatAge((pod.deletedAt ?? now) - createdAt(pod));
  const countdown = countdownOf(pod, description, now);
  const words = [
    pod.name,
    ...(pod.namespace === 'default' ? [] : [translate(podTextMessages.namespace, { namespace: pod.namespace })]),
    description.status,
    translate(podTextMessages.ready, { ready }),
    ...(description.restarts > 0 ? [translate(podTextMessages.restarts, { count: description.restarts })] : []),
  ];
  return { description, ready, age, countdown, label: words.join(', ') };
}
