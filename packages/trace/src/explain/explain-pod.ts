/**
 * Explains the state of a pod from its status, the history of its containers and the decisions of its last syncs. All
 * texts come from facts in the log.
 */
import type { Attributes } from '../events/event.ts';
import { textAt } from '../folds/attribute-values.ts';
import { describePodForPeople, describePodObject, type PodLine } from '../folds/describe-pod.ts';
import type { RunFold } from '../folds/run-fold.ts';
import type { DecisionRecord, KubernetesEventRecord, PodTrack, SpanRecord, SyncRecord } from '../folds/tracks.ts';
import { clockTime, containerTexts } from './container-texts.ts';
import type { Diagnosis } from './diagnosis.ts';
import { type ExplainText, inEnglish } from './text.ts';

/** The columns of `kubectl get pod`. */
export type PodSummary = Pick<PodLine, 'status' | 'ready' | 'total' | 'restarts' | 'message'>;

/** The explanation of a sync that has decisions or results about the pod. */
export interface SyncExplanation {
  readonly number: number;
  readonly start: number;
  readonly isOver: boolean;
  /** The function that the sync called, for example `SyncTerminatedPod`. If the log doesn't show it, the worker's. */
  readonly function: string;
  /** The origin of the decisions. `unknown`: a genuine kubelet's, which the shadow engine did not compute. */
  readonly decidedBy: 'kubelet' | 'shadowEngine' | 'unknown';
  /** The decisions that settled a question, in order. */
  readonly decisions: readonly DecisionRecord[];
  readonly results: readonly {
    readonly action: string;
    readonly target: string;
    readonly error?: string;
    readonly message?: string;
  }[];
  /** Interventions by users and faults, in English. */
  readonly interventions: readonly string[];
}

export type Warning = Pick<KubernetesEventRecord, 'time' | 'reason' | 'message' | 'count'>;

export interface PodExplanation {
  /** The pod as `namespace/name`. */
  readonly pod: string;
  /** A line with the values of `kubectl get pod`. */
  readonly headline: string;
  /** The values in the headline. */
  readonly summary: PodSummary;
  /** The problems, the most important first; empty for a healthy pod. */
  readonly diagnoses: readonly Diagnosis[];
  /** The state of the sandbox and of each container. */
  readonly containers: readonly ExplainText[];
  readonly syncs: readonly SyncExplanation[];
  /** The warnings, each one once with its count. */
  readonly warnings: readonly Warning[];
  /** The whole explanation in English. */
  readonly sections: readonly ExplanationSection[];
}

export interface ExplanationSection {
  readonly title: string;
  readonly lines: readonly string[];
}

/** Returns the lines of the whole explanation below its headline, with the sections indented. */
export const explanationLines = ({ sections }: Pick<PodExplanation, 'sections'>): readonly string[] =>
  sections.flatMap(({ title, lines }) => ['', `  ${title}`, ...lines.map((line) => `    ${line}`)]);

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;

/** Formats up to five facts. Ids are omitted, because a reader doesn't understand them. */
function shortFacts(facts: Attributes): string {
  const parts = Object.entries(facts).flatMap(([name, value]: [string, unknown]) => {
    if ((typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') || /id$/i.test(name))
      return [];
    if (typeof value === 'number' && value > 1e12) return [`${name} ${clockTime(value)}`];
    return name === 'container' || name === 'pod' ? [] : [`${name} ${String(value)}`];
  });
  return parts.slice(0, 5).join(', ');
}

const outcomeText = (outcome: unknown): string => (typeof outcome === 'string' ? outcome : JSON.stringify(outcome));

function decisionLine({ rule, facts, outcome }: DecisionRecord): string {
  const subject = textAt(facts, 'container');
  const because = shortFacts(facts);
  return `${subject ? `${subject}: ` : ''}${outcomeText(outcome)} — ${rule}${because ? ` (${because})` : ''}`;
}

/** Yields a span and all spans inside it, in order of their starts. */
function* inside(fold: RunFold, id: number): Iterable<SpanRecord> {
  const span = fold.span(id);
  if (!span) return;
  yield span;
  for (const child of span.children) yield* inside(fold, child);
}

function decidedBy(root: SpanRecord | undefined, within: readonly SpanRecord[]): SyncExplanation['decidedBy'] {
  if (root?.source === undefined) return 'kubelet';
  return within.some(({ source }) => source === 'shadow') ? 'shadowEngine' : 'unknown';
}

function explainSync(fold: RunFold, { span, runtime, number, start, end, results }: SyncRecord): SyncExplanation {
  // If the sync contains a span of the runtime manager, only the decisions inside that span are used. They explain a
  // sync better than the decisions of the enclosing steps.
  const spans = [...inside(fold, runtime ?? span)];
  const root = fold.span(span);
  const called = root?.children.map((id) => fold.span(id)).find((child) => child?.kind === 'function');
  return {
    number,
    start,
    isOver: end !== undefined,
    function: (called ?? root)?.title ?? '',
    decidedBy: decidedBy(root, spans),
    decisions: spans
      .flatMap(({ decisions }) => decisions.filter(({ decisive }) => decisive))
      .toSorted((a, b) => a.seq - b.seq),
    results: results.map(({ action, target, error, message }) => ({
      action,
      target,
      ...(error === undefined ? {} : { error }),
      ...(message === undefined ? {} : { message }),
    })),
    interventions: spans.flatMap(({ interventions }) => interventions.map(({ text }) => text)),
  };
}

/** Returns the line for a sync without decisions, results and interventions. */
const emptySync = ({ function: name, decidedBy: origin }: SyncExplanation): string =>
  origin === 'unknown'
    ? `${name} ran in the genuine kubelet. The shadow engine didn't compute it, so its decisions are unknown.`
    : 'Nothing to do.';

function syncSection(sync: SyncExplanation): ExplanationSection {
  const { number, start, isOver, decisions, results, interventions } = sync;
  const computed = sync.decidedBy === 'shadowEngine' && decisions.length > 0;
  const done = results.map(
    ({ action, target, error, message }) =>
      `${action} ${target}: ${error ? `${error}${message ? ` — ${message}` : ''}` : 'done'}`,
  );
  const lines = [
    ...decisions.map(decisionLine),
    ...done,
    ...interventions.map((text) => `Someone intervened: ${text}.`),
  ];
  return {
    title:
      `The kubelet's ${isOver ? '' : 'unfinished '}sync ${number} at ${clockTime(start)}` +
      (computed ? ', with the decisions of the shadow engine' : ''),
    lines: lines.length > 0 ? lines : [emptySync(sync)],
  };
}

/** Returns three syncs, the oldest first: the newest failed sync, the newest sync with results, and the last sync. */
function notableSyncs({ syncs }: PodTrack): readonly SyncRecord[] {
  const last = syncs.at(-1);
  const failed = syncs.findLast(({ results }) => results.some(({ error }) => error !== undefined));
  const acted = syncs.findLast(({ results }) => results.length > 0);
  const chosen = new Set([failed, acted, last].filter((sync) => sync !== undefined));
  return [...chosen].toSorted((a, b) => a.number - b.number);
}

const longestFact = 200;

/**
 * Formats a diagnosis: the cause as one paragraph, the quoted message, the evidence, the outlook and the commands to
 * try.
 */
function diagnosisSection({
  title,
  cause,
  said,
  facts,
  outlook,
  origin,
  certainty,
  next,
}: Diagnosis): ExplanationSection {
  const line = (text: string): string => (text.length > longestFact ? `${text.slice(0, longestFact - 1)}…` : text);
  // Without an outlook, the engine's own decisions are listed below the diagnosis.
  if (!outlook)
    return {
      title: inEnglish(title),
      lines: [
        cause.map(inEnglish).join(' '),
        ...(said ? [`It was said: ${said}`] : []),
        ...next.map(({ why, command }) => `${inEnglish(why)}: ${command}`),
      ],
    };
  const sure = { certain: '', likely: ' (likely)', unknown: ' (the snapshot doesn’t tell more)' }[
    certainty ?? 'certain'
  ];
  return {
    title: inEnglish(title),
    lines: [
      cause.map(inEnglish).join(' '),
      ...(origin ? [`Where the cause lies: ${origin}${sure}`] : []),
      ...(facts.length > 0 ? ['Evidence:'] : []),
      ...facts.map(({ path, value }) => `  ${path}: ${line(value.replaceAll(/\s+/g, ' '))}`),
      `What happens next: ${outlook.map(inEnglish).join(' ')}`,
      ...(next.length > 0 ? ['What to do:'] : []),
      ...next.flatMap(({ why, command }) => [`  ${inEnglish(why)}:`, `    ${command}`]),
    ],
  };
}

/** Returns the state of the pod in one line. Of a message with several lines, it has the last one. */
function headline(pod: string, { status, ready, total, restarts, message = '' }: PodSummary): string {
  const said = message.trim().split('\n').at(-1) ?? '';
  return (
    `${pod} is ${status}: ${ready} of ${count(total, 'container')} ready, ` +
    `${count(restarts, 'restart')}${said === '' ? '' : ` — ${said}`}`
  );
}

const summaryOf = ({ status, ready, total, restarts, message }: PodLine): PodSummary => ({
  status,
  ready,
  total,
  restarts,
  message,
});

/** Returns the line and the values that `kubectl get pod` shows for a pod object. */
export function summarizeObject(object: {
  readonly metadata: { readonly namespace?: string; readonly name: string };
  readonly status?: unknown;
}): {
  readonly headline: string;
  readonly summary: PodSummary;
} {
  const summary = summaryOf(describePodObject(object, object.status));
  return { headline: headline(`${object.metadata.namespace ?? 'default'}/${object.metadata.name}`, summary), summary };
}

const warningSections = (warnings: readonly Warning[]): readonly ExplanationSection[] =>
  warnings.length === 0
    ? []
    : [
        {
          title: 'Warnings',
          lines: warnings.map(
            ({ time, reason, message, count: times }) =>
              `${clockTime(time)} ${reason}${times > 1 ? ` (${times} times)` : ''}: ${message}`,
          ),
        },
      ];

/** Explains a pod from diagnoses alone, without the events of a run. */
export function explainDiagnoses(
  object: Parameters<typeof summarizeObject>[0],
  diagnoses: readonly Diagnosis[],
  warnings: readonly Warning[],
  containers: readonly ExplainText[] = [],
): PodExplanation {
  return {
    pod: `${object.metadata.namespace ?? 'default'}/${object.metadata.name}`,
    ...summarizeObject(object),
    diagnoses,
    containers,
    syncs: [],
    warnings,
    sections: [
      ...diagnoses.map(diagnosisSection),
      ...(containers.length > 0 ? [{ title: 'Containers', lines: containers.map(inEnglish) }] : []),
      ...warningSections(warnings),
    ],
  };
}

/**
 * Explains a pod as of the newest event in `fold`.
 * @param now in milliseconds since the Unix epoch
 * @param diagnoses the pod's problems, the most important first
 */
export function explainPod(
  fold: RunFold,
  track: PodTrack,
  now: number,
  diagnoses: readonly Diagnosis[] = [],
): PodExplanation {
  const pod = `${track.namespace || 'default'}/${track.name}`;
  const containers = containerTexts(track, now);
  const syncs = notableSyncs(track).map((sync) => explainSync(fold, sync));
  const newest = new Map(
    track.events.filter(({ type }) => type === 'Warning').map((event) => [`${event.reason} ${event.container}`, event]),
  );
  const warnings = [...newest.values()].map(({ time, reason, message, count: times }) => ({
    time,
    reason,
    message,
    count: times,
  }));
  const sections: ExplanationSection[] = diagnoses.map(diagnosisSection);
  if (containers.length > 0) sections.push({ title: 'Containers', lines: containers.map(inEnglish) });
  sections.push(...syncs.map(syncSection));
  sections.push(...warningSections(warnings));
  if (track.interventions.length > 0) {
    sections.push({
      title: 'Interventions',
      lines: track.interventions.slice(-10).map(({ time, text }) => `${clockTime(time)} ${text}`),
    });
  }
  const summary = summaryOf(describePodForPeople(track, now));
  return { pod, headline: headline(pod, summary), summary, diagnoses, containers, syncs, warnings, sections };
}
