/** Finds the record behind the id of a selected item. */
import { parseItemId } from '@podscope/timeline';
import type {
  AttemptRecord,
  BackOffRecord,
  ContainerTrack,
  KubernetesEventRecord,
  PodTrack,
  SpanRecord,
  StopRecord,
} from '@podscope/trace';

export type Selection =
  | { readonly kind: 'pod' }
  | { readonly kind: 'span'; readonly span: SpanRecord }
  | { readonly kind: 'attempt'; readonly attempt: AttemptRecord; readonly track: ContainerTrack }
  | { readonly kind: 'backOff'; readonly backOff: BackOffRecord; readonly track: ContainerTrack }
  | { readonly kind: 'container'; readonly track: ContainerTrack }
  | { readonly kind: 'event'; readonly event: KubernetesEventRecord }
  | { readonly kind: 'stop'; readonly stop: StopRecord };

const pod: Selection = { kind: 'pod' };

const tracksOf = (track: PodTrack): readonly ContainerTrack[] => [track.sandbox, ...track.containers];

/** Returns the record that `id` refers to, or the pod itself if there is no such record. */
export function resolveSelection(
  id: string | undefined,
  track: PodTrack,
  spanOf: (id: number) => SpanRecord | undefined,
): Selection {
  const reference = id === undefined ? undefined : parseItemId(id);
  switch (reference?.kind) {
    case 'span': {
      const span = spanOf(reference.span);
      return span ? { kind: 'span', span } : pod;
    }
    case 'attempt':
    case 'exited':
    case 'exit': {
      for (const container of tracksOf(track)) {
        const attempt = container.attempts.find((candidate) => candidate.id === reference.attempt);
        if (attempt) return { kind: 'attempt', attempt, track: container };
      }
      return pod;
    }
    case 'backoff': {
      const container = tracksOf(track).find(({ name }) => name === reference.container);
      const backOff = container?.backOffs.find(({ kind, since }) => kind === reference.of && since === reference.since);
      return container && backOff ? { kind: 'backOff', backOff, track: container } : pod;
    }
    case 'wait': {
      const container = tracksOf(track).find(({ name }) => name === reference.container);
      return container ? { kind: 'container', track: container } : pod;
    }
    case 'event': {
      const event = track.events.find(({ seq }) => seq === reference.seq);
      return event ? { kind: 'event', event } : pod;
    }
    case 'stop':
    case 'stopped': {
      const stop = track.stops.find(({ seq }) => seq === reference.seq);
      return stop ? { kind: 'stop', stop } : pod;
    }
    case undefined:
      return pod;
  }
}
