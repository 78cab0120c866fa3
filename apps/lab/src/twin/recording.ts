/**
 * Parses recordings. A recording shows what a genuine kubelet did with one static pod on a Docker engine. Only the
 * parts that are compared are parsed.
 */
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { z } from 'zod';

const json = z.record(z.string(), z.unknown());

const manifest = z.looseObject({
  kind: z.literal('Pod'),
  metadata: z.looseObject({ name: z.string() }),
  spec: z.looseObject({}),
});

const action = z.looseObject({
  /** Milliseconds since the manifest was written, as in all other members. */
  t: z.number(),
  action: z.string(),
  manifest: manifest.optional(),
  container: z.string().optional(),
  /** A token such as `<app#1>`. */
  id: z.string().optional(),
});

const stateSchema = z.looseObject({
  waiting: z.looseObject({ reason: z.string().optional() }).optional(),
  running: z.looseObject({}).optional(),
  terminated: z.looseObject({ exitCode: z.number(), reason: z.string().optional() }).optional(),
});

const containerStatus = z.looseObject({
  name: z.string(),
  state: stateSchema.optional(),
  lastState: stateSchema.optional(),
  ready: z.boolean(),
  restartCount: z.number(),
  started: z.boolean().nullish(),
});

/** A pod's status, from a recording or from the compared run. */
export const statusSchema = z.looseObject({
  phase: z.string().optional(),
  reason: z.string().optional(),
  message: z.string().optional(),
  conditions: z
    .array(
      z.looseObject({
        type: z.string(),
        status: z.string(),
        reason: z.string().optional(),
        message: z.string().optional(),
      }),
    )
    .optional(),
  initContainerStatuses: z.array(containerStatus).optional(),
  containerStatuses: z.array(containerStatus).optional(),
  qosClass: z.string().optional(),
});

const seenStatus = statusSchema.extend({ t: z.number(), uid: z.string().optional(), gone: z.boolean().optional() });

/** Engines and recorders write some numbers as text and some texts as numbers. */
const text = z.union([z.string(), z.number().transform(String)]);

const engineEvent = z.looseObject({
  t: z.number(),
  action: z.string(),
  container: z.string().optional(),
  attempt: z.coerce.number().optional(),
  exitCode: text.optional(),
  signal: text.optional(),
});

const recordingSchema = z.looseObject({
  name: z.string(),
  covers: z.string().optional(),
  kubelet: z.string().optional(),
  manifest,
  actions: z.array(action).min(1),
  pod: z.looseObject({
    key: z.string(),
    uids: z.array(z.string()),
    specAfterDefaults: z.looseObject({ nodeName: z.string().optional() }).optional(),
  }),
  statuses: z.array(seenStatus),
  events: z.array(
    z.looseObject({
      t: z.number(),
      type: z.string(),
      reason: z.string(),
      message: z.string(),
      fieldPath: z.string().optional(),
    }),
  ),
  syncLoop: z.array(z.looseObject({ t: z.number(), op: z.string() })),
  engineEvents: z.array(engineEvent),
  creates: z.record(z.string(), json).default({}),
  layout: z
    .looseObject({
      podDir: z.array(z.looseObject({ path: z.string(), type: z.string(), mode: z.string().optional() })).optional(),
    })
    .optional(),
});

export type Recording = z.infer<typeof recordingSchema>;
export type RecordedAction = z.infer<typeof action>;
export type PodStatusSeen = z.infer<typeof statusSchema>;
export type SeenStatus = z.infer<typeof seenStatus>;
export type EngineEvent = z.infer<typeof engineEvent>;
export type KubeletEvent = Recording['events'][number];

/** A file with these members is a recording, even if it is incomplete. */
const looksRecorded = z.looseObject({ manifest: z.unknown(), actions: z.unknown(), engineEvents: z.unknown() });

/** Returns the value without null members, because Go writes empty values as null. */
const withoutNulls = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_key, item: unknown) => (item === null ? undefined : item));

/** Returns a file's recording, the reason why a recording can't be read, or undefined for a file of another shape. */
async function readRecording(path: string): Promise<Recording | string | undefined> {
  const content: unknown = await readFile(path, 'utf8')
    .then((read): unknown => JSON.parse(read))
    .catch((error: unknown) => {
      if (error instanceof SyntaxError) return undefined;
      throw error;
    });
  if (!looksRecorded.safeParse(content).success) return undefined;
  const { data, error } = recordingSchema.safeParse(withoutNulls(content));
  const [first] = error?.issues ?? [];
  return data ?? `${first?.path.join('.') ?? ''}: ${first?.message ?? 'not readable'}`;
}

export interface FoundRecordings {
  /**
   * A recording in a subdirectory is named after its relative path without extension, because two directories may
   * contain recordings of the same name.
   */
  readonly recordings: readonly Recording[];
  /** Reasons why recordings can't be read, by name. */
  readonly unreadable: ReadonlyMap<string, string>;
  /** Relative paths of files that aren't recordings. */
  readonly ignored: readonly string[];
}

/** The directory with second recordings of the same pods and UIDs, including the calls to the engine. */
const callsDirectory = 'calls';

/**
 * Returns the recordings of a directory and its subdirectories, or the one in a file.
 * @throws Error if the path doesn't exist or can't be read
 */
export async function findRecordings(path: string): Promise<FoundRecordings> {
  const isDirectory = (await stat(path)).isDirectory();
  const entries = isDirectory ? await readdir(path, { recursive: true, withFileTypes: true }) : [];
  const found = entries
    .filter((entry) => !entry.isDirectory() && entry.name.endsWith('.json'))
    .map(({ parentPath, name }) => relative(path, join(parentPath, name)));
  const files = isDirectory ? found.toSorted() : [basename(path)];
  const recordings: Recording[] = [];
  const unreadable = new Map<string, string>();
  const ignored: string[] = [];
  for (const file of files) {
    const above = file.split(sep).slice(0, -1);
    const recording = above.includes(callsDirectory)
      ? undefined
      : await readRecording(isDirectory ? join(path, file) : path);
    const name = file.replace(/\.json$/, '');
    if (recording === undefined) ignored.push(file);
    else if (typeof recording === 'string') unreadable.set(name, recording);
    else recordings.push(above.length > 0 ? { ...recording, name } : recording);
  }
  return { recordings, unreadable, ignored };
}

/** Returns the profile of the recorded kubelet. Recordings that don't name a kubelet are of v1.20. */
export const profileOf = ({ kubelet }: Recording): 'v1.20' | 'v1.36' =>
  kubelet?.startsWith('v1.36') ? 'v1.36' : 'v1.20';

/** Returns the name of the node that the recording ran on. */
export const nodeNameOf = ({ pod, manifest: { metadata } }: Recording): string =>
  pod.specAfterDefaults?.nodeName ?? pod.key.slice(pod.key.indexOf('/') + 1 + metadata.name.length + 1);

/** Returns the time of the last external action. */
export const lastAction = ({ actions }: Recording): number => Math.max(...actions.map(({ t }) => t));

/** Returns when the manifest was finally removed; undefined if it wasn't. */
export const removedAt = ({ actions }: Recording): number | undefined => {
  const last = actions.findLast(({ action: name }) => name.startsWith('manifest '));
  return last && /^manifest (removed|deleted)/.test(last.action) ? last.t : undefined;
};

/**
 * Returns whether the pod's containers are in a crash loop. The number of restarts before its end depends on when the
 * kubelet syncs.
 */
export const isCrashLoop = ({ events }: Recording): boolean =>
  events.some(({ reason, message }) => reason === 'BackOff' && message.startsWith('Back-off restarting'));
