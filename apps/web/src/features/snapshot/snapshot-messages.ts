/** Defines the messages between the page and the worker that reads snapshots. */
import { isRecord } from '@podscope/base';
import type { RunSnapshot } from '@podscope/pod-snapshot/diagnosis';
import { type SnapshotText, snapshotTexts } from '@podscope/pod-snapshot/notices';
import { type CauseOrigin, causeOrigins, type ExplainMessageId, explainMessages } from '@podscope/trace/explain';
import { z } from 'zod';

const values = z.record(z.string(), z.union([z.string(), z.number()]));
const plainText = z.object({
  id: z.custom<ExplainMessageId>((id) => typeof id === 'string' && Object.hasOwn(explainMessages, id)),
  values,
  instants: z.record(z.string(), z.number()).optional(),
});
/** The id and the values of an explanation text. */
const text = plainText.extend({ nested: z.record(z.string(), plainText).optional() });

/** The id and the values of a notice about the pod. */
const notice = z.object({
  id: z.custom<SnapshotText['id']>((id) => typeof id === 'string' && Object.hasOwn(snapshotTexts, id)),
  values,
});

const diagnosis = z.object({
  reason: z.string(),
  severity: z.enum(['error', 'waiting', 'info']),
  container: z.string().optional(),
  title: text,
  cause: z.array(text),
  said: z.string().optional(),
  facts: z.array(z.object({ path: z.string(), value: z.string() })),
  next: z.array(z.object({ why: text, command: z.string() })),
  outlook: z.array(text).optional(),
  origin: z.custom<CauseOrigin>((origin) => causeOrigins.some((each) => each === origin)).optional(),
  certainty: z.enum(['certain', 'likely', 'unknown']).optional(),
});

const decision = z.object({
  seq: z.number(),
  time: z.number(),
  rule: z.string(),
  facts: z.record(z.string(), z.unknown()),
  outcome: z.unknown(),
  decisive: z.boolean(),
});

const sync = z.object({
  number: z.number(),
  start: z.number(),
  isOver: z.boolean(),
  function: z.string(),
  decidedBy: z.enum(['kubelet', 'shadowEngine', 'unknown']),
  decisions: z.array(decision),
  results: z.array(
    z.object({ action: z.string(), target: z.string(), error: z.string().optional(), message: z.string().optional() }),
  ),
  interventions: z.array(z.string()),
});

const explanation = z.object({
  summary: z.object({
    status: z.string(),
    ready: z.number(),
    total: z.number(),
    restarts: z.number(),
    message: z.string().optional(),
  }),
  diagnoses: z.array(diagnosis),
  containers: z.array(text),
  syncs: z.array(sync),
  warnings: z.array(z.object({ time: z.number(), reason: z.string(), message: z.string(), count: z.number() })),
});

const entry = z.discriminatedUnion('kind', [
  z.object({ at: z.number(), kind: z.literal('start'), container: z.string(), attempt: z.number() }),
  z.object({
    at: z.number(),
    kind: z.literal('exit'),
    container: z.string(),
    exitCode: z.number(),
    reason: z.string(),
    isGuess: z.boolean(),
  }),
  z.object({
    at: z.number(),
    kind: z.literal('wait'),
    container: z.string(),
    of: z.enum(['container', 'image']),
    seconds: z.number(),
  }),
  z.object({ at: z.number(), kind: z.literal('event'), reason: z.string(), message: z.string() }),
  z.object({ at: z.number(), kind: z.literal('phase'), phase: z.string() }),
  z.object({ at: z.number(), kind: z.literal('gone') }),
]);
export type OutlookEntry = z.infer<typeof entry>;

/** The explanation and the forecast of one pod of a snapshot, as the dialog shows them. */
const outlook = z.object({
  pod: z.object({ namespace: z.string(), name: z.string(), uid: z.string() }),
  observedAt: z.number(),
  /** Why the pod is in its state; undefined if no reason is known. */
  explanation: explanation.optional(),
  waits: z.array(
    z.object({ container: z.string(), kind: z.enum(['container', 'image']), seconds: z.number(), until: z.number() }),
  ),
  entries: z.array(entry),
  /** False if something outside the kubelet decides what happens next, so that the simulator can't continue the pod. */
  isSimulated: z.boolean(),
  until: z.number(),
  notices: z.array(notice),
});
export type Outlook = z.infer<typeof outlook>;

/**
 * A problem that prevents reading the snapshot. Messages of parsers and of the API are English texts; all other
 * messages have ids.
 */
const problem = z.object({
  line: z.number().optional(),
  message: z.union([z.string(), notice]),
  hint: z.union([z.string(), notice]).optional(),
});
export type SnapshotProblem = z.infer<typeof problem>;

/** The worker's answer about a text. */
export const snapshotAnswerSchema = z.object({
  outlooks: z.array(outlook),
  errors: z.array(problem),
  notices: z.array(notice),
  /** The text without its secrets; undefined if the text contained none. */
  text: z.string().optional(),
});
export type SnapshotAnswer = z.infer<typeof snapshotAnswerSchema>;

const profile = z.enum(['v1.36', 'v1.20']);

/** A pod of the page's run. The page made it from events that were validated. */
const runPod = z.custom<RunSnapshot>((value) => isRecord(value) && isRecord(value['snapshot']));

/** A text that kubectl printed, or a pod of an observed kubelet. */
export const snapshotQuestionSchema = z.union([z.object({ text: z.string(), profile }), z.object({ runPod, profile })]);
export type SnapshotQuestion = z.infer<typeof snapshotQuestionSchema>;
