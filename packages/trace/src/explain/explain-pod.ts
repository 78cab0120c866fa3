/**
 * Why a pod is as it is, in plain words: from its status, its containers' lives and the decisions of its last syncs, as the log has them.
 * Nothing is guessed: what the log does not say is left out.
 */
import type { Attributes } from '../event.ts';
import { textAt } from '../folds/attribute-values.ts';
import { currentBackOff, describePodForPeople, describePodObject, type PodLine } from '../folds/describe-pod.ts';
import type { RunFold } from '../folds/run-fold.ts';
import type { ContainerTrack, DecisionRecord, PodTrack, SpanRecord, SyncRecord } from '../folds/tracks.ts';
import { diagnosePod } from './diagnose.ts';
import { type Diagnosis, lengthInWords as length } from './patient.ts';
import { inEnglish } from './text.ts';

export interface PodExplanation {
  /** `namespace/name` */
  readonly pod: string;
  /** One line: what `kubectl get pod` shows. */
  readonly headline: string;
  /** What is wrong with it, what matters most first; empty when it is well. */
  readonly diagnoses: readonly Diagnosis[];
  readonly sections: readonly ExplanationSection[];
}

export interface ExplanationSection {
  readonly title: string;
  readonly lines: readonly string[];
}

/** Clock time of an instant, in UTC. */
const clockTime = (time: number): string => new Date(time).toISOString().slice(11, 19);

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;

function containerLines(track: ContainerTrack, now: number): readonly string[] {
  const lines: string[] = [];
  const { name } = track;
  const attempt = track.attempts.at(-1);
  const starts = track.attempts.filter(({ startedAt }) => startedAt !== undefined).length;
  if (!attempt) lines.push(`${name} has not been created.`);
  else if (attempt.state === 'running' && attempt.startedAt !== undefined)
    lines.push(`${name} runs since ${clockTime(attempt.startedAt)} (attempt ${attempt.attempt}).`);
  else if (attempt.state === 'created') lines.push(`${name} was created and has not started (attempt ${attempt.attempt}).`);
  else if (attempt.finishedAt !== undefined) {
    const ran = attempt.startedAt === undefined ? '' : ` after running ${length(attempt.finishedAt - attempt.startedAt)}`;
    const code = attempt.exitCode === undefined ? '' : ` with exit code ${attempt.exitCode}`;
    const reason = attempt.reason ? ` (${attempt.reason})` : '';
    lines.push(`${name} ended at ${clockTime(attempt.finishedAt)}${ran}${code}${reason}${starts > 1 ? `; it was started ${count(starts, 'time')}` : ''}.`);
  }
  const failed = track.activities.findLast(({ outcome }) => outcome === 'error');
  const succeededLater = track.activities.some(({ kind, outcome, start }) => failed && kind === failed.kind && outcome === 'ok' && start > failed.start);
  if (failed && !succeededLater)
    lines.push(`${name}: ${failed.kind} failed at ${clockTime(failed.end ?? failed.start)}${failed.detail ? ` (${failed.detail})` : ''}.`);
  const backOff = currentBackOff(track, now);
  if (backOff) {
    const what = backOff.kind === 'image' ? 'pulls its image' : 'starts it';
    const left = backOff.remaining > 0 ? `${length(backOff.remaining)} left` : 'over: the next sync is due';
    lines.push(
      `${name} waits: after the last failure the kubelet ${what} again only after ${length(backOff.seconds * 1_000)}, at ${clockTime(backOff.until)} (${left}).`,
    );
  }
  const wait = track.waits.at(-1);
  if (wait?.reason) lines.push(`${name} is shown as ${wait.reason}${wait.message ? `: ${wait.message}` : ''}.`);
  return lines;
}

/** The facts that say most, in a few words. */
function shortFacts(facts: Attributes): string {
  const parts = Object.entries(facts).flatMap(([name, value]: [string, unknown]) => {
    if ((typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') || /id$/i.test(name)) return [];
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

/** All spans inside one, itself first, in the order of their starts. */
function* inside(fold: RunFold, id: number): Iterable<SpanRecord> {
  const span = fold.span(id);
  if (!span) return;
  yield span;
  for (const child of span.children) yield* inside(fold, child);
}

function syncSection(fold: RunFold, sync: SyncRecord): ExplanationSection {
  const decisions: DecisionRecord[] = [];
  const failures: string[] = [];
  for (const span of inside(fold, sync.span)) {
    decisions.push(...span.decisions.filter(({ decisive }) => decisive));
    for (const { text } of span.interventions) failures.push(`Someone intervened: ${text}.`);
  }
  const results = sync.results.map(
    ({ action, target, error, message }) => `${action} ${target}: ${error ? `${error}${message ? ` — ${message}` : ''}` : 'done'}`,
  );
  const lines = [...decisions.toSorted((a, b) => a.seq - b.seq).map(decisionLine), ...results, ...failures];
  return {
    title: `The kubelet's ${sync.end === undefined ? 'unfinished ' : ''}sync ${sync.number} at ${clockTime(sync.start)}`,
    lines: lines.length > 0 ? lines : ['Nothing was to be done.'],
  };
}

/** The newest sync that did or decided something for the worse, and the newest of all. */
function tellingSyncs({ syncs }: PodTrack): readonly SyncRecord[] {
  const last = syncs.at(-1);
  const failed = syncs.findLast(({ results }) => results.some(({ error }) => error !== undefined));
  const acted = syncs.findLast(({ results }) => results.length > 0);
  const chosen = new Set([failed, acted, last].filter((sync) => sync !== undefined));
  return [...chosen].toSorted((a, b) => a.number - b.number);
}

/** The cause in one paragraph, the words of whoever said it, and what to try. */
function diagnosisSection({ title, cause, said, next }: Diagnosis): ExplanationSection {
  return {
    title: inEnglish(title),
    lines: [cause.map(inEnglish).join(' '), ...(said ? [`It was said: ${said}`] : []), ...next.map(({ why, command }) => `${inEnglish(why)}: ${command}`)],
  };
}

const headline = (pod: string, { status, ready, total, restarts, message }: PodLine): string =>
  `${pod} is ${status}: ${ready} of ${count(total, 'container')} ready, ${count(restarts, 'restart')}${message ? ` — ${message}` : ''}`;

/** What `kubectl get pod` shows of a pod's object, in one line. */
export const headlineOf = (object: { readonly metadata: { readonly namespace?: string; readonly name: string }; readonly status?: unknown }): string =>
  headline(`${object.metadata.namespace ?? 'default'}/${object.metadata.name}`, describePodObject(object, object.status));

/** Explains one pod as it stood when `fold` was at its newest event. `now`: milliseconds since the Unix epoch. */
export function explainPod(fold: RunFold, track: PodTrack, now: number): PodExplanation {
  const pod = `${track.namespace || 'default'}/${track.name}`;
  const diagnoses = diagnosePod(fold, track, now);
  const sections: ExplanationSection[] = diagnoses.map(diagnosisSection);
  const containers = track.containers.flatMap((container) => containerLines(container, now));
  const sandboxAttempt = track.sandbox.attempts.at(-1);
  if (sandboxAttempt)
    containers.unshift(
      `The sandbox is ${sandboxAttempt.state}${sandboxAttempt.ip ? ` with address ${sandboxAttempt.ip}` : ''} (attempt ${sandboxAttempt.attempt}).`,
    );
  if (containers.length > 0) sections.push({ title: 'Containers', lines: containers });
  for (const sync of tellingSyncs(track)) sections.push(syncSection(fold, sync));
  const warnings = new Map(track.events.filter(({ type }) => type === 'Warning').map((event) => [`${event.reason} ${event.container}`, event]));
  if (warnings.size > 0) {
    sections.push({
      title: 'Warnings',
      lines: [...warnings.values()].map(
        ({ time, reason, message: said, count: times }) => `${clockTime(time)} ${reason}${times > 1 ? ` (${times} times)` : ''}: ${said}`,
      ),
    });
  }
  if (track.interventions.length > 0) {
    sections.push({ title: 'Not by itself', lines: track.interventions.slice(-10).map(({ time, text }) => `${clockTime(time)} ${text}`) });
  }
  return { pod, headline: headline(pod, describePodForPeople(track, now)), diagnoses, sections };
}
