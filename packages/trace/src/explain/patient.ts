/** A pod as it is looked at to find what is wrong: its object and status with the paths of what is read. */
import type { Attributes } from '../event.ts';
import { listAt, objectAt, textAt } from '../folds/attribute-values.ts';
import type { RunFold } from '../folds/run-fold.ts';
import type { ContainerTrack, KubernetesEventRecord, PodTrack } from '../folds/tracks.ts';
import type { ExplainText } from './text.ts';

/** A field of the pod, and what it says: evidence. */
export interface FieldFact {
  /** `spec.containers[0].image` */
  readonly path: string;
  readonly value: string;
}

/** What to try next. */
export interface NextCommand {
  readonly why: ExplainText;
  readonly command: string;
}

/** One thing that is wrong with a pod, in plain words. */
export interface Diagnosis {
  /** The reason as Kubernetes names it: `CrashLoopBackOff`, `SandboxChanged`. */
  readonly reason: string;
  /** waiting: it goes on by itself. */
  readonly severity: 'error' | 'waiting' | 'info';
  /** Absent when it concerns the whole pod. */
  readonly container?: string;
  readonly title: ExplainText;
  /** The sentences of one paragraph. */
  readonly cause: readonly ExplainText[];
  /** The runtime's, registry's or program's own words. */
  readonly said?: string;
  readonly facts: readonly FieldFact[];
  readonly next: readonly NextCommand[];
}

export interface ContainerPatient {
  readonly name: string;
  readonly type: ContainerTrack['type'];
  readonly spec: Attributes;
  readonly specPath: string;
  readonly status: Attributes;
  readonly statusPath: string;
  readonly track: ContainerTrack | undefined;
  readonly image: string;
}

export interface Patient {
  readonly fold: RunFold;
  readonly track: PodTrack;
  readonly object: Attributes;
  readonly status: Attributes;
  readonly now: number;
  readonly containers: readonly ContainerPatient[];
  /** `kubectl -n shop VERB… ARGUMENTS`; without -n for the default namespace. */
  readonly kubectl: (words: string) => string;
}

const lists = [
  ['initContainers', 'initContainerStatuses'],
  ['containers', 'containerStatuses'],
  ['ephemeralContainers', 'ephemeralContainerStatuses'],
] as const;

const nothing: Attributes = {};

export function patientOf(fold: RunFold, track: PodTrack, now: number): Patient {
  const object = track.object ?? nothing;
  const status = track.status ?? objectAt(object, 'status') ?? nothing;
  const containers = lists.flatMap(([specs, statuses]) => {
    const shown = listAt(status, statuses);
    return listAt(object, 'spec', specs).map((spec, index): ContainerPatient => {
      const name = textAt(spec, 'name') ?? '';
      const at = shown.findIndex((each) => each['name'] === name);
      const own = track.containers.find((each) => each.name === name);
      return {
        name,
        type: own?.type ?? 'container',
        spec,
        specPath: `spec.${specs}[${index}]`,
        status: shown[at] ?? nothing,
        statusPath: `status.${statuses}[${Math.max(0, at)}]`,
        track: own,
        image: textAt(spec, 'image') ?? textAt(shown[at], 'image') ?? '',
      };
    });
  });
  const namespace = track.namespace === '' || track.namespace === 'default' ? '' : `-n ${track.namespace} `;
  return { fold, track, object, status, now, containers, kubectl: (words) => `kubectl ${namespace}${words}` };
}

/** Facts of fields that have a value. */
export const factsOf = (...facts: readonly (readonly [path: string, value: unknown])[]): readonly FieldFact[] =>
  facts.flatMap(([path, value]) =>
    value === undefined || value === null || value === '' ? [] : [{ path, value: typeof value === 'string' ? value : JSON.stringify(value) }],
  );

/** Events by reason, as far as they were read. */
interface EventIndex {
  read: number;
  readonly byReason: Map<string, KubernetesEventRecord[]>;
}

/** A list of events only grows: each event is looked at once, not with every look at the pod. */
const eventIndexes = new WeakMap<readonly KubernetesEventRecord[], EventIndex>();

/** The pod's events of that reason, in their order. */
export function eventsOf({ events }: PodTrack, reason: string): readonly KubernetesEventRecord[] {
  let index = eventIndexes.get(events);
  if (!index || index.read > events.length) eventIndexes.set(events, (index = { read: 0, byReason: new Map() }));
  const { byReason } = index;
  for (; index.read < events.length; index.read++) {
    const event = events[index.read];
    const same = event && byReason.get(event.reason);
    if (same) same.push(event);
    else if (event) byReason.set(event.reason, [event]);
  }
  return byReason.get(reason) ?? [];
}

/** The newest event with one of these reasons, of that container when one is named. */
export function newestEvent({ track }: Patient, reasons: readonly string[], container?: string): KubernetesEventRecord | undefined {
  let newest: KubernetesEventRecord | undefined;
  for (const reason of reasons) {
    const found = eventsOf(track, reason).findLast((event) => container === undefined || event.container === container);
    if (found && found.seq > (newest?.seq ?? 0)) newest = found;
  }
  return newest;
}

/** `850 ms`, `2.4 s`, `3 min 20 s` */
export function lengthInWords(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`;
  const seconds = Math.round(ms / 1_000);
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
