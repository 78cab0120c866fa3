/**
 * Reads what a cluster says of its pods: `kubectl get pod NAME -o yaml` (or json), lists of pods, and events beside them. The objects are
 * read as they are there, with their status; what is secret is taken out before anything else sees it.
 */
import { formatFieldError, type ManifestError, type ManifestObject, type Pod, parseManifests, readObject } from '@podscope/k8s';
import { addMilliseconds, type Instant, instant } from '@podscope/trace';
import { z } from 'zod';
import { Masker, maskText } from './mask.ts';
import { type SnapshotText, sayOfSnapshot, snapshotTextInEnglish } from './notices.ts';

/** A Kubernetes event about a pod. */
export interface SnapshotEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  /** Name of the container it is about. */
  readonly container: string | undefined;
  readonly count: number;
  readonly first: Instant;
  readonly last: Instant;
}

/** One pod at one instant. */
export interface PodSnapshot {
  readonly pod: Pod;
  /** Oldest first. */
  readonly events: readonly SnapshotEvent[];
  /** The newest time that the snapshot speaks of: it was taken then, or later. */
  readonly observedAt: Instant;
}

/** What could not be read; where it is said here and not by a parser or the API, also as texts that have names. */
export interface SnapshotError extends ManifestError {
  readonly texts?: { readonly message: SnapshotText; readonly hint: SnapshotText };
}

export interface SnapshotReading {
  readonly snapshots: readonly PodSnapshot[];
  /** What could not be read, with its place in the text. */
  readonly errors: readonly SnapshotError[];
  /** What was read and is worth knowing. */
  readonly notices: readonly SnapshotText[];
}

const time = z
  .string()
  .nullish()
  .transform((text) => text ?? undefined);

/** core/v1 and events.k8s.io/v1, as far as they are looked at. */
const eventSchema = z.object({
  metadata: z.object({ creationTimestamp: time }).optional(),
  type: z.string().nullish(),
  reason: z.string().nullish(),
  message: z.string().nullish(),
  note: z.string().nullish(),
  count: z.int().positive().nullish(),
  firstTimestamp: time,
  lastTimestamp: time,
  eventTime: time,
  deprecatedFirstTimestamp: time,
  deprecatedLastTimestamp: time,
  deprecatedCount: z.int().positive().nullish(),
  series: z.object({ count: z.int().positive().nullish(), lastObservedTime: time }).nullish(),
  involvedObject: z.object({ kind: z.string(), uid: z.string().optional(), name: z.string().optional(), fieldPath: z.string().optional() }).optional(),
  regarding: z.object({ kind: z.string(), uid: z.string().optional(), name: z.string().optional(), fieldPath: z.string().optional() }).optional(),
});

/** An event, and which pod it is about. */
export interface ReadEvent {
  readonly about: { readonly uid: string | undefined; readonly name: string | undefined };
  readonly event: SnapshotEvent;
}

/** The instant of a time that may be missing or no time. */
export function instantOf(text: string | null | undefined): Instant | undefined {
  if (!text) return undefined;
  const at = Date.parse(text);
  // Zero times stand for "never".
  return Number.isNaN(at) || at <= 0 ? undefined : instant(at);
}

const aboutSchema = z.object({ uid: z.string().optional(), name: z.string().optional() });
const aboutOf = z.object({ involvedObject: aboutSchema.optional(), regarding: aboutSchema.optional() });

/** Which pod an event is about, as far as it tells; by that the pod's {@link Masker} is found. */
export function subjectOf(object: unknown): { readonly uid?: string | undefined; readonly name?: string | undefined } {
  const { data } = aboutOf.safeParse(object);
  return data?.involvedObject ?? data?.regarding ?? {};
}

/**
 * An event object about a pod, with secrets taken out; undefined for one about something else, or that can't be read.
 * @param masker the one that has read the pod: it knows what its events must not quote
 */
export function readEvent(object: unknown, masker: Masker = new Masker()): ReadEvent | undefined {
  const parsed = eventSchema.safeParse(masker.object(object));
  if (!parsed.success) return undefined;
  const { data } = parsed;
  const about = data.involvedObject ?? data.regarding;
  if (about?.kind !== 'Pod') return undefined;
  const last = instantOf(
    data.series?.lastObservedTime ?? data.lastTimestamp ?? data.deprecatedLastTimestamp ?? data.eventTime ?? data.metadata?.creationTimestamp,
  );
  if (last === undefined) return undefined;
  const first = instantOf(data.firstTimestamp ?? data.deprecatedFirstTimestamp ?? data.eventTime) ?? last;
  const container = /^spec\.(?:initC|ephemeralC|c)ontainers\{(.+)\}$/.exec(about.fieldPath ?? '')?.[1];
  return {
    about: { uid: about.uid, name: about.name },
    event: {
      type: data.type === 'Warning' ? 'Warning' : 'Normal',
      reason: data.reason ?? '',
      message: data.message ?? data.note ?? '',
      container,
      count: data.series?.count ?? data.count ?? data.deprecatedCount ?? 1,
      first,
      last,
    },
  };
}

/** Every time that a pod's object holds. */
function* timesIn(value: unknown): Iterable<Instant> {
  if (typeof value === 'string') {
    const at = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(value) ? instantOf(value) : undefined;
    if (at !== undefined) yield at;
  } else if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) yield* timesIn(item);
}

/** An error of our own, in English and by its names. */
const named = (message: SnapshotText, hint: SnapshotText): Pick<SnapshotError, 'message' | 'hint' | 'texts'> => ({
  message: snapshotTextInEnglish(message),
  hint: snapshotTextInEnglish(hint),
  texts: { message, hint },
});

function readPod(source: ManifestObject, masker: Masker, notices: SnapshotText[], errors: SnapshotError[]): Pod | undefined {
  const { object, unknownFields, errors: faults } = readObject('Pod', masker.object(withoutBookkeeping(source.object)), { as: 'existing' });
  const at = { document: source.document, ...source.start };
  if (!object) {
    for (const fault of faults) errors.push({ message: formatFieldError(fault), field: fault.field, document: source.document, ...source.locateError(fault) });
    return undefined;
  }
  const { name, uid } = object.metadata;
  if (!uid || !object.status) {
    errors.push({ ...named(sayOfSnapshot('noStatus', { pod: name, field: uid ? 'status' : 'metadata.uid' }), sayOfSnapshot('noStatusHint')), ...at });
    return undefined;
  }
  if (object.spec.containers.length === 0) {
    const fault = faults.find(({ field }) => field === 'spec.containers');
    errors.push({ message: fault ? formatFieldError(fault) : 'spec.containers: Required value', field: 'spec.containers', ...at });
    return undefined;
  }
  const said = [
    ...unknownFields.map((field) => sayOfSnapshot('unknownField', { pod: name, field })),
    ...faults.map((fault) => sayOfSnapshot('fault', { pod: name, fault: formatFieldError(fault) })),
  ];
  notices.push(...said.slice(0, 5));
  return object;
}

/** A pod object of a cluster, with secrets taken out; undefined for one that can't be read. */
export const readPodObject = (data: Readonly<Record<string, unknown>>, masker: Masker): Pod | undefined =>
  readObject('Pod', masker.object(withoutBookkeeping(data)), { as: 'existing' }).object;

/** Who wrote which field, and the whole manifest once more, are nothing that decisions depend on. */
function withoutBookkeeping(object: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { metadata } = object;
  if (typeof metadata !== 'object' || metadata === null) return object;
  const { managedFields: _, annotations, ...rest } = metadata as Readonly<Record<string, unknown>>;
  const kept = Object.entries(annotations ?? {}).filter(([key]) => key !== 'kubectl.kubernetes.io/last-applied-configuration');
  return { ...object, metadata: { ...rest, ...(kept.length > 0 ? { annotations: Object.fromEntries(kept) } : {}) } };
}

/** The head of what `kubectl get pods` and `kubectl get events` print without `-o`. */
const tableHead = /^(?:NAMESPACE\s+)?(?:NAME\s+READY\s+STATUS|LAST SEEN\s+TYPE\s+REASON)\b/;

/** Takes tables for people out, which are no YAML, each with all up to the next document; lines keep their numbers. */
function withoutTables(given: string): { readonly text: string; readonly tables: readonly number[] } {
  const tables: number[] = [];
  let isInside = false;
  const lines = given.split('\n').map((line, index) => {
    if (line.startsWith('---')) isInside = false;
    else if (!isInside && tableHead.test(line)) {
      isInside = true;
      tables.push(index + 1);
    }
    return isInside ? '' : line;
  });
  return { text: tables.length === 0 ? given : lines.join('\n'), tables };
}

/** All pods of a cluster with their events may be some megabytes, and what `kubectl get -w` prints many documents. */
const limits = { maxBytes: 16 * 1024 ** 2, maxDocuments: 10_000 };

/**
 * Reads every pod in a text, each with the events about it. Nothing is thrown: what can't be read is an error with its place.
 * @param given YAML of one or more documents, or JSON; lists are taken apart
 */
export function readSnapshots(given: string): SnapshotReading {
  const { text, tables } = withoutTables(given);
  const parsed = parseManifests(text, limits);
  const errors: SnapshotError[] = parsed.errors.map((error) => ({ ...error, message: maskText(error.message) }));
  for (const line of tables) errors.push({ ...named(sayOfSnapshot('table'), sayOfSnapshot('tableHint')), line });
  const maskers = new Map<string, Masker>();
  const notices: SnapshotText[] = [];
  const pods: Pod[] = [];
  const events: ReadEvent[] = [];
  const others = new Map<string, number>();
  for (const source of parsed.objects) {
    if (source.kind === 'Pod') {
      const masker = new Masker();
      const pod = readPod(source, masker, notices, errors);
      if (!pod) continue;
      pods.push(pod);
      for (const key of [pod.metadata.uid, pod.metadata.name]) maskers.set(key, masker);
    } else if (source.kind !== 'Event') others.set(source.kind, (others.get(source.kind) ?? 0) + 1);
  }
  // After all pods: an event may stand before the pod that it is about.
  for (const source of parsed.objects) {
    if (source.kind !== 'Event') continue;
    const { uid = '', name = '' } = subjectOf(source.object);
    const event = readEvent(source.object, maskers.get(uid) ?? maskers.get(name));
    if (event) events.push(event);
  }
  for (const [kind, count] of others) notices.push(sayOfSnapshot('leftOut', { count, kind }));
  if (pods.length === 0 && errors.length === 0) {
    errors.push({ ...named(sayOfSnapshot('noPod'), sayOfSnapshot('noPodHint')), document: 1, line: 1, column: 1 });
  }
  // What `kubectl get -w` prints has a pod again and again: it is as it was printed last.
  const newest = [...new Map(pods.map((pod) => [pod.metadata.uid, pod])).values()];
  return { snapshots: newest.map((pod) => snapshotOf(pod, events)), errors, notices };
}

/**
 * What {@link readSnapshots} reads of a text, as objects without what is secret: to be shown in place of it. Undefined when there is nothing
 * to take out; a text that can't be read is left to {@link maskText}.
 */
export function withoutSecretObjects(text: string): readonly object[] | undefined {
  const { objects, errors } = parseManifests(text);
  if (errors.length > 0) return undefined;
  const known = objects.filter(({ kind }) => kind === 'Pod' || kind === 'Event').map(({ object }) => withoutBookkeeping(object));
  // One for all: what one of them says is a secret may be quoted by any.
  const masker = new Masker();
  known.forEach((object) => masker.object(object));
  const clean = known.map((object) => masker.object(object) as object);
  return clean.length === objects.length && JSON.stringify(clean) === JSON.stringify(objects.map(({ object }) => object)) ? undefined : clean;
}

function snapshotOf(pod: Pod, events: readonly ReadEvent[]): PodSnapshot {
  const { uid, name } = pod.metadata;
  const own = events
    .filter(({ about }) => (about.uid ? about.uid === uid : about.name === name))
    .map(({ event }) => event)
    .toSorted((a, b) => a.last - b.last);
  // A deletion's time is that of its deadline, which may be yet to come: it was asked for its grace period before.
  const { deletionTimestamp, ...metadata } = pod.metadata;
  const deadline = instantOf(deletionTimestamp);
  const asked = deadline === undefined ? [] : [addMilliseconds(deadline, -1_000 * (metadata.deletionGracePeriodSeconds ?? 0))];
  const times = [...timesIn({ metadata, status: pod.status }), ...asked, ...own.map(({ last }) => last)];
  return { pod, events: own, observedAt: instant(Math.max(...times, 0)) };
}
