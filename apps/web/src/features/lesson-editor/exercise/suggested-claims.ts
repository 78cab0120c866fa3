/** Suggests claims for the options of a question: one for each kind of event in a part of a run. */
import { claimText, type EventPattern, type Goal, type Run } from '@podscope/lessons';
import type { TraceEvent } from '@podscope/trace';

/** Returns a pattern that matches events like this one; undefined for events that questions aren't about. */
function patternOf(event: TraceEvent): EventPattern | undefined {
  const { type } = event;
  switch (type) {
    case 'kubernetesEvent':
      return { type, reason: event.reason };
    case 'runtimeStateChanged':
      return {
        type,
        object: event.object,
        name: event.name,
        attempt: event.attempt,
        to: event.to,
        ...(event.exitCode === undefined ? {} : { exitCode: event.exitCode }),
      };
    case 'backOff':
      return { type, kind: event.kind, seconds: event.seconds };
    case 'syncResult':
      return { type, action: event.action, ...(event.error === undefined ? {} : { error: event.error }) };
    case 'spanStarted':
      return event.kind === 'cri' || event.kind === 'step' ? { type, point: event.point } : undefined;
    default:
      return undefined;
  }
}

/**
 * Returns claims, as YAML, that events of the run between two seconds suggest. Each claim is contained once, in the
 * order of the run.
 */
export function suggestedClaims(run: Run, from: number, until: number): readonly string[] {
  return patternsIn(run, from, until).map((happens) => claimText({ happens }));
}

function patternsIn({ begin, events }: Run, from: number, until: number): readonly EventPattern[] {
  const patterns = events.flatMap((event) => {
    const seconds = (event.time - begin) / 1_000;
    return seconds > from && seconds <= until ? (patternOf(event) ?? []) : [];
  });
  return [...new Map(patterns.map((pattern) => [JSON.stringify(pattern), pattern])).values()];
}

/** The goals that fit most exercises. */
const usualGoals: readonly Goal[] = [
  { status: { conditions: [{ type: 'Ready', status: 'True' }] }, for: 30 },
  { status: { phase: 'Succeeded' }, for: 1 },
];

/**
 * Returns goals, as YAML, that attempts suggest: the usual goals, the absence of each event that only the unchanged
 * manifest causes, and the presence of each event that only the solution causes.
 * @param seconds duration of an attempt
 */
export function suggestedGoals(
  unchanged: Run | undefined,
  solved: Run | undefined,
  seconds: number,
): readonly string[] {
  const [before = [], after = []] = [unchanged, solved].map((run) => run && patternsIn(run, 0, seconds));
  const other = (patterns: readonly EventPattern[], than: readonly EventPattern[]): readonly EventPattern[] => {
    const known = new Set(than.map((pattern) => JSON.stringify(pattern)));
    return patterns.filter((pattern) => !known.has(JSON.stringify(pattern)));
  };
  const goals: readonly Goal[] = [
    ...usualGoals,
    ...(solved ? other(before, after).map((never) => ({ never })) : []),
    ...other(after, before).map((happens) => ({ happens })),
  ];
  return goals.map(claimText);
}
