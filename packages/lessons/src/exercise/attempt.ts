/** Plays and judges attempts at an exercise. An attempt replaces the pod with one created from the edited manifest. */
import { isRecord } from '@podscope/base';
import { type Instant, instant, type TraceEvent } from '@podscope/trace';
import { claimHolds, looksLike, type Run } from '../claims/claim.ts';
import type { AttemptAct, Exercise, LastingGoal } from '../model.ts';

/** An act of an attempt, in the form of a scenario's act. */
export type AttemptActOfPod = AttemptAct & { readonly pod: string };

const forcedDeletion = { do: 'deletePod', gracePeriodSeconds: 0 } as const;

/**
 * Returns an attempt as acts of a scenario: the manifest replaces the pod at second `at`, and the exercise's own acts
 * follow.
 */
export function attemptActs({ pod, acts = [] }: Exercise, manifest: string, at: number) {
  return [
    { ...forcedDeletion, at, pod },
    { at, do: 'apply' as const, manifest },
    ...acts.map((act): AttemptActOfPod => ({ ...act, at: at + act.at, pod })),
  ];
}

/** Returns the scenario that plays an attempt from the start. @param scenario a scenario, or its parsed YAML */
export function attemptScenario<S extends object>(scenario: S, exercise: Exercise, manifest: string): S {
  const before: readonly unknown[] = 'acts' in scenario && Array.isArray(scenario.acts) ? scenario.acts : [];
  return {
    ...scenario,
    acts: [...before, ...attemptActs(exercise, manifest, exercise.at)],
    duration: exercise.at + exercise.seconds,
  };
}

/** Returns the UID of the newest pod of that name that was created in the namespace `default` since `begin`. */
function uidOf({ begin, events }: Run, name: string): string | undefined {
  const added = events.findLast(
    (event) =>
      event.type === 'podChanged' &&
      event.operation === 'ADDED' &&
      event.time >= begin &&
      isRecord(event.object['metadata']) &&
      event.object['metadata']['name'] === name &&
      (event.object['metadata']['namespace'] ?? 'default') === 'default',
  );
  return added?.pod;
}

/**
 * Returns true if the status matched the pattern without interruption for the goal's number of seconds up to the end of
 * the attempt.
 */
function lasts(goal: LastingGoal, events: readonly TraceEvent[], end: Instant): boolean {
  let since: number | undefined;
  for (const event of events) {
    if (event.type === 'podStatus') since = looksLike(event.status, goal.status) ? (since ?? event.time) : undefined;
    if (event.type === 'podChanged' && event.operation === 'DELETED') since = undefined;
  }
  return since !== undefined && end - since >= goal.for * 1_000;
}

/**
 * Returns for each goal whether the attempt meets it. All are false if the attempt created no pod of the exercise's
 * name.
 * @param attempt the run; its `begin` is the time at which the manifest was applied
 */
export function goalsMet({ pod, seconds, goals }: Exercise, attempt: Run): readonly boolean[] {
  const uid = uidOf(attempt, pod);
  const { begin } = attempt;
  const end = instant(begin + seconds * 1_000);
  const events = attempt.events.filter(
    (event) => event.time >= begin && event.time <= end && (event.pod === undefined || event.pod === uid),
  );
  return goals.map((goal) => {
    if (uid === undefined) return false;
    return 'status' in goal ? lasts(goal, events, end) : claimHolds(goal, { begin, events });
  });
}
