/**
 * Parses pods and events of a cluster from the output of `kubectl get pods,events -o yaml` (or json). Secrets are
 * masked before any other code receives the objects.
 */
import {
  formatFieldError,
  type ManifestError,
  type ManifestObject,
  type Pod,
  parseManifests,
  readObject,
} from '@podscope/k8s';
import { maskText, RecognizedSecretMask } from '@podscope/node/secrets';
import { addMilliseconds, type Instant, instant } from '@podscope/trace';
import { z } from 'zod';
import { formatSnapshotText, type SnapshotText, snapshotText } from './notices.ts';
import { instantOf, type PodSnapshot, type SnapshotEvent } from './pod-snapshot.ts';

/** A parse error. The errors of this package also have texts that can be translated. */
export interface SnapshotError extends ManifestError {
  readonly texts?: { readonly message: SnapshotText; readonly hint: SnapshotText };
}

export interface SnapshotReading {
  readonly snapshots: readonly PodSnapshot[];
  /** Errors with their position in the text. */
  readonly errors: readonly SnapshotError[];
  /** Notices about input that was accepted. */
  readonly notices: readonly SnapshotText[];
}

const time = z
  .string()
  .nullish()
  .transform((text) => text ?? undefined);

/** The fields of an event (core/v1 or events.k8s.io/v1) that are read. */
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
  involvedObject: z
    .object({
      kind: z.string(),
      uid: z.string().optional(),
      name: z.string().optional(),
      fieldPath: z.string().optional(),
    })
    .optional(),
  regarding: z
    .object({
      kind: z.string(),
      uid: z.string().optional(),
      name: z.string().optional(),
      fieldPath: z.string().optional(),
    })
    .optional(),
});

/** An event and the pod that it concerns. */
export interface ReadEvent {
  readonly about: { readonly uid: string | undefined; readonly name: string | undefined };
  readonly event: SnapshotEvent;
}

const aboutSchema = z.object({ uid: z.string().optional(), name: z.string().optional() });
const aboutOf = z.object({ involvedObject: aboutSchema.optional(), regarding: aboutSchema.optional() });

/**
 * Returns the uid and the name of the pod that an event concerns. With them, the pod's {@link RecognizedSecretMask} is
 * found.
 */
export function subjectOf(object: unknown): { readonly uid?: string | undefined; readonly name?: string | undefined } {
  const { data } = aboutOf.safeParse(object);
  return data?.involvedObject ?? data?.regarding ?? {};
}

/**
 * Parses an event object and masks its secrets. Returns undefined when the event is invalid or isn't about an object of
 * this kind.
 * @param mask the mask of the pod, which knows the secrets that the event may quote
 */
export function readEvent(
  object: unknown,
  mask: RecognizedSecretMask = new RecognizedSecretMask(),
  kind = 'Pod',
): ReadEvent | undefined {
  const parsed = eventSchema.safeParse(mask.object(object));
  if (!parsed.success) return undefined;
  const { data } = parsed;
  const about = data.involvedObject ?? data.regarding;
  if (about?.kind !== kind) return undefined;
  const last = instantOf(
    data.series?.lastObservedTime ??
      data.lastTimestamp ??
      data.deprecatedLastTimestamp ??
      data.eventTime ??
      data.metadata?.creationTimestamp,
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

/** Returns all timestamps in an object. */
function* timesIn(value: unknown): Iterable<Instant> {
  if (typeof value === 'string') {
    const at = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(value) ? instantOf(value) : undefined;
    if (at !== undefined) yield at;
  } else if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) yield* timesIn(item);
}

/** Returns the message and hint of an error, in English and as translatable texts. */
const withTexts = (message: SnapshotText, hint: SnapshotText): Pick<SnapshotError, 'message' | 'hint' | 'texts'> => ({
  message: formatSnapshotText(message),
  hint: formatSnapshotText(hint),
  texts: { message, hint },
});

function readPod(
  source: ManifestObject,
  mask: RecognizedSecretMask,
  notices: SnapshotText[],
  errors: SnapshotError[],
): Pod | undefined {
  const {
    object,
    unknownFields,
    errors: fieldErrors,
  } = readObject('Pod', mask.object(withoutBookkeeping(source.object)), { as: 'existing' });
  const at = { document: source.document, ...source.start };
  if (!object) {
    for (const error of fieldErrors)
      errors.push({
        message: formatFieldError(error),
        field: error.field,
        document: source.document,
        ...source.locateError(error),
      });
    return undefined;
  }
  const { name, uid } = object.metadata;
  if (!uid || !object.status) {
    errors.push({
      ...withTexts(
        snapshotText('noStatus', { pod: name, field: uid ? 'status' : 'metadata.uid' }),
        snapshotText('noStatusHint'),
      ),
      ...at,
    });
    return undefined;
  }
  if (object.spec.containers.length === 0) {
    const missing = fieldErrors.find(({ field }) => field === 'spec.containers');
    errors.push({
      message: missing ? formatFieldError(missing) : 'spec.containers: Required value',
      field: 'spec.containers',
      ...at,
    });
    return undefined;
  }
  const remarks = [
    ...unknownFields.map((field) => snapshotText('unknownField', { pod: name, field })),
    ...fieldErrors.map((error) => snapshotText('fault', { pod: name, fault: formatFieldError(error) })),
  ];
  notices.push(...remarks.slice(0, 5));
  return object;
}

/** Reads a pod object and masks its secrets. Returns undefined when it is invalid. */
export const readPodObject = (data: Readonly<Record<string, unknown>>, mask: RecognizedSecretMask): Pod | undefined =>
  readObject('Pod', mask.object(withoutBookkeeping(data)), { as: 'existing' }).object;

/** Removes managed fields and the last applied manifest, because no decision depends on them. */
function withoutBookkeeping(object: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { metadata } = object;
  if (typeof metadata !== 'object' || metadata === null) return object;
  const { managedFields: _, annotations, ...rest } = metadata as Readonly<Record<string, unknown>>;
  const kept = Object.entries(annotations ?? {}).filter(
    ([key]) => key !== 'kubectl.kubernetes.io/last-applied-configuration',
  );
  return { ...object, metadata: { ...rest, ...(kept.length > 0 ? { annotations: Object.fromEntries(kept) } : {}) } };
}

/** Matches the header line of `kubectl get pods` and `kubectl get events` without `-o`. */
const tableHead = /^(?:NAMESPACE\s+)?(?:NAME\s+READY\s+STATUS|LAST SEEN\s+TYPE\s+REASON)\b/;

/** Matches the first line of `kubectl describe`, which pads the values into a column. */
const descriptionHead = /^Name:\s{2,}\S/;

/** Output of kubectl that lacks the data of an object: where it begins, and of which kind it is. */
interface Unreadable {
  readonly line: number;
  readonly kind: 'table' | 'description';
}

const unreadableKind = (line: string): Unreadable['kind'] | undefined =>
  tableHead.test(line) ? 'table' : descriptionHead.test(line) ? 'description' : undefined;

/**
 * Replaces tables and descriptions of kubectl by empty lines up to the next YAML document, so that the other lines keep
 * their numbers.
 */
function withoutUnreadable(given: string): { readonly text: string; readonly unreadable: readonly Unreadable[] } {
  const unreadable: Unreadable[] = [];
  let isInside = false;
  const lines = given.split('\n').map((line, index) => {
    const kind = isInside ? undefined : unreadableKind(line);
    if (line.startsWith('---')) isInside = false;
    else if (kind) {
      isInside = true;
      unreadable.push({ line: index + 1, kind });
    }
    return isInside ? '' : line;
  });
  return { text: unreadable.length === 0 ? given : lines.join('\n'), unreadable };
}

/**
 * The limits are large enough for all pods of a cluster with their events, and for the many documents of
 * `kubectl get -w`.
 */
const limits = { maxBytes: 16 * 1024 ** 2, maxDocuments: 10_000 };

/**
 * Returns every pod in a text and the events about it. Never throws: for invalid input, the result contains an error
 * with its position.
 * @param given one or more YAML documents, or JSON; lists are unpacked
 */
export function readSnapshots(given: string): SnapshotReading {
  const { text, unreadable } = withoutUnreadable(given);
  const parsed = parseManifests(text, limits);
  const errors: SnapshotError[] = parsed.errors.map((error) => ({ ...error, message: maskText(error.message) }));
  for (const { line, kind } of unreadable)
    errors.push({ ...withTexts(snapshotText(kind), snapshotText('tableHint')), line });
  const masks = new Map<string, RecognizedSecretMask>();
  const notices: SnapshotText[] = [];
  const pods: Pod[] = [];
  const events: ReadEvent[] = [];
  const others = new Map<string, number>();
  for (const source of parsed.objects) {
    if (source.kind === 'Pod') {
      const mask = new RecognizedSecretMask();
      const pod = readPod(source, mask, notices, errors);
      if (!pod) continue;
      pods.push(pod);
      for (const key of [pod.metadata.uid, pod.metadata.name]) masks.set(key, mask);
    } else if (source.kind !== 'Event') others.set(source.kind, (others.get(source.kind) ?? 0) + 1);
  }
  // Events are read after all pods, because the text may contain an event before its pod.
  for (const source of parsed.objects) {
    if (source.kind !== 'Event') continue;
    const { uid = '', name = '' } = subjectOf(source.object);
    const event = readEvent(source.object, masks.get(uid) ?? masks.get(name));
    if (event) events.push(event);
  }
  for (const [kind, count] of others) notices.push(snapshotText('leftOut', { count, kind }));
  if (pods.length === 0 && errors.length === 0) {
    errors.push({ ...withTexts(snapshotText('noPod'), snapshotText('noPodHint')), document: 1, line: 1, column: 1 });
  }
  // `kubectl get -w` prints a pod several times. The last version is used.
  const newest = [...new Map(pods.map((pod) => [pod.metadata.uid, pod])).values()];
  return { snapshots: newest.map((pod) => snapshotOf(pod, events)), errors, notices };
}

/**
 * Returns the pods and events of a text with their secrets masked, to display in place of the text. Returns undefined
 * if the text contains no secrets or is invalid; {@link maskText} masks an invalid text.
 */
export function withoutSecretObjects(text: string): readonly object[] | undefined {
  const { objects, errors } = parseManifests(text);
  if (errors.length > 0) return undefined;
  const known = objects
    .filter(({ kind }) => kind === 'Pod' || kind === 'Event')
    .map(({ object }) => withoutBookkeeping(object));
  // All objects share one mask, because an object may quote a secret of another one.
  const mask = new RecognizedSecretMask();
  known.forEach((object) => mask.object(object));
  const clean = known.map((object) => mask.object(object) as object);
  return clean.length === objects.length &&
    JSON.stringify(clean) === JSON.stringify(objects.map(({ object }) => object))
    ? undefined
    : clean;
}

function snapshotOf(pod: Pod, events: readonly ReadEvent[]): PodSnapshot {
  const { uid, name } = pod.metadata;
  const own = events
    .filter(({ about }) => (about.uid ? about.uid === uid : about.name === name))
    .map(({ event }) => event)
    .toSorted((a, b) => a.last - b.last);
  // The deletion timestamp is the end of the grace period, which may be in the future. The request was one grace period
  // earlier.
  const { deletionTimestamp, ...metadata } = pod.metadata;
  const deadline = instantOf(deletionTimestamp);
  const requested =
    deadline === undefined ? [] : [addMilliseconds(deadline, -1_000 * (metadata.deletionGracePeriodSeconds ?? 0))];
  const times = [...timesIn({ metadata, status: pod.status }), ...requested, ...own.map(({ last }) => last)];
  return { pod, events: own, observedAt: instant(Math.max(...times, 0)) };
}
