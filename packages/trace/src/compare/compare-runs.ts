/** Compares two runs step by step: missing and extra steps, different outcomes, different durations. */
import type { TraceEvent } from '../events/event.ts';
import { type RunStep, RunSteps } from './run-steps.ts';

/** The difference between a step of the second run and the same step of the first. */
export type StepDifference = 'missing' | 'extra' | 'outcome' | 'slower' | 'faster';

/** A step of one run or of both. */
export interface AlignedStep {
  readonly before: RunStep | undefined;
  readonly after: RunStep | undefined;
  /** The difference between the runs; undefined if the step is the same in both. */
  readonly difference: StepDifference | undefined;
}

export interface CompareOptions {
  /**
   * Limits the comparison to one pod, as `namespace/name`. The name of a static pod may lack the node's name. Default:
   * all pods.
   */
  readonly pod?: string;
  /**
   * The factor by which the durations of a step must differ for it to count as slower or faster. Both this and {@link
   * leastDifference} must be met.
   */
  readonly factor?: number;
  /** The smallest difference in ms for a step to count as slower or faster. */
  readonly leastDifference?: number;
}

export interface RunComparison {
  /**
   * The steps in the order of the first run. A step that only the second run has is placed after the step that it
   * follows in the second run.
   */
  readonly steps: readonly AlignedStep[];
  /** How many steps have each difference. */
  readonly counts: Readonly<Record<StepDifference | 'same', number>>;
  /** True if no step is missing, extra or has a different outcome. Durations are ignored. */
  readonly alike: boolean;
}

const keyOf = ({ manifest, action, target, attempt, occurrence }: RunStep): string =>
  [manifest, action, target, attempt, occurrence].join('\u0000');

function differenceOf(before: RunStep, after: RunStep, factor: number, least: number): StepDifference | undefined {
  if (before.outcome !== after.outcome || before.reason !== after.reason) return 'outcome';
  if (before.duration === undefined || after.duration === undefined) return undefined;
  if (after.duration - before.duration >= least && after.duration >= before.duration * factor) return 'slower';
  if (before.duration - after.duration >= least && before.duration >= after.duration * factor) return 'faster';
  return undefined;
}

/** Compares the events of two runs. */
export function compareRuns(
  before: Iterable<TraceEvent>,
  after: Iterable<TraceEvent>,
  options: CompareOptions = {},
): RunComparison {
  const first = new RunSteps().takeAll(before).steps;
  const second = new RunSteps().takeAll(after).steps;
  return compareSteps(first, second, options);
}

/** Compares the steps of two runs. */
export function compareSteps(
  before: readonly RunStep[],
  after: readonly RunStep[],
  options: CompareOptions = {},
): RunComparison {
  const { factor = 1.5, leastDifference = 100, pod } = options;
  const isNamed = (step: RunStep): boolean => step.pod === pod || step.manifest === pod;
  const manifests = new Set([...before, ...after].filter(isNamed).map(({ manifest }) => manifest));
  const wanted = ({ manifest }: RunStep): boolean => pod === undefined || manifests.has(manifest);
  const first = before.filter(wanted);
  const second = after.filter(wanted);
  const inSecond = new Map(second.map((step, index) => [keyOf(step), index]));
  const inFirst = new Set(first.map(keyOf));
  const steps: AlignedStep[] = [];
  let reported = 0;
  // An extra step comes before the next step that both runs have.
  const reportExtra = (until: number): void => {
    for (; reported < until; reported++) {
      const step = second[reported];
      if (step && !inFirst.has(keyOf(step))) steps.push({ before: undefined, after: step, difference: 'extra' });
    }
  };
  for (const step of first) {
    const index = inSecond.get(keyOf(step));
    const other = index === undefined ? undefined : second[index];
    if (index !== undefined) reportExtra(index);
    steps.push({
      before: step,
      after: other,
      difference: other ? differenceOf(step, other, factor, leastDifference) : 'missing',
    });
  }
  reportExtra(second.length);
  const counts = { same: 0, missing: 0, extra: 0, outcome: 0, slower: 0, faster: 0 };
  for (const { difference } of steps) counts[difference ?? 'same']++;
  return { steps, counts, alike: counts.missing === 0 && counts.extra === 0 && counts.outcome === 0 };
}
