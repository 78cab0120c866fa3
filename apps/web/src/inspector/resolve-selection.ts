/** From the id of a selected item to the record behind it. */
import type { AttemptRecord, BackOffRecord, ContainerTrack, KubernetesEventRecord, PodTrack, SpanRecord, StopRecord } from '@podscope/trace';

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

/** What `id` names; the pod itself when it names nothing that is known. */
export function resolveSelection(id: string | undefined, track: PodTrack, spanOf: (id: number) => SpanRecord | undefined): Selection {
  if (id === undefined) return pod;
  const at = id.indexOf(':');
  const rest = id.slice(at + 1);
  switch (id.slice(0, at)) {
    case 'span': {
      const span = spanOf(Number(rest));
      return span ? { kind: 'span', span } : pod;
    }
    case 'attempt':
    case 'exited':
    case 'exit': {
      for (const container of tracksOf(track)) {
        const attempt = container.attempts.find((candidate) => candidate.id === rest);
        if (attempt) return { kind: 'attempt', attempt, track: container };
      }
      return pod;
    }
    case 'backoff': {
      const [name, kind, since] = rest.split(':');
      const container = tracksOf(track).find((candidate) => candidate.name === name);
      const backOff = container?.backOffs.find((candidate) => candidate.kind === kind && String(candidate.since) === since);
      return container && backOff ? { kind: 'backOff', backOff, track: container } : pod;
    }
    case 'wait': {
      const container = tracksOf(track).find(({ name }) => name === rest.split(':')[1]);
      return container ? { kind: 'container', track: container } : pod;
    }
    case 'event': {
      const event = track.events.find(({ seq }) => String(seq) === rest);
      return event ? { kind: 'event', event } : pod;
    }
    case 'stop':
    case 'stopped': {
      const stop = track.stops.find(({ seq }) => String(seq) === rest);
      return stop ? { kind: 'stop', stop } : pod;
    }
    default:
      return pod;
  }
}
