/** The flow as a tree: every level placed below the point that its steps run in. */
import type { Level, Release, RuntimeKind, Step } from './level.ts';
import { allLevels } from './levels/all.ts';
import { stepText } from './texts/catalogue.ts';

/** Selects one node's flow. */
export interface FlowOptions {
  readonly release: Release;
  /** Feature gates by name; a gate that isn't named is off. */
  readonly gates?: Readonly<Record<string, boolean>> | undefined;
  /** `simulated` if absent. */
  readonly runtime?: RuntimeKind | undefined;
}

/** One step in its place in the tree. */
export interface FlowNode extends Step {
  /** English. Other languages: {@link stepText} by id. */
  readonly title: string;
  readonly description: string;
  /** The position in its level, from 1; absent for calls and for work between numbered steps. */
  readonly number?: number;
  /** The id of the level that lists this step. */
  readonly level: string;
  readonly children: readonly FlowNode[];
}

const isGateOn = ({ gate }: Step, gates: Readonly<Record<string, boolean>>): boolean =>
  gate === undefined || gates[gate] === true;

/** Returns the levels of one release and runtime. */
export const levelsOf = ({ release, runtime = 'simulated' }: FlowOptions): readonly Level[] =>
  allLevels.filter((level) => (level.release ?? release) === release && (level.runtime ?? runtime) === runtime);

function nodesOf(level: Level, options: FlowOptions): readonly FlowNode[] {
  const node = (step: Step, number?: number): FlowNode => {
    // The tree repeats the functions that many steps call, so it is built only where it is read.
    let children: readonly FlowNode[] | undefined;
    return {
      ...step,
      title: stepText(step.id, 'en')?.title ?? step.id,
      description: stepText(step.id, 'en')?.description ?? '',
      ...(number === undefined ? {} : { number }),
      level: level.id,
      get children() {
        children ??= stepsBelow(step.id, options);
        return children;
      },
    };
  };
  return Object.entries(level.steps).flatMap(([name, step], index) => [
    ...(isGateOn(step, options.gates ?? {}) ? [node(step, level.numbered ? index + 1 : undefined)] : []),
    ...(level.after?.[name] ?? []).map((unnumbered) => node(unnumbered)),
  ]);
}

/**
 * Returns the steps that run inside a point, in order, with everything below them. Empty if the point has no steps.
 *
 * A function that several steps call, such as `killContainer`, appears below each of them.
 */
export const stepsBelow = (id: string, options: FlowOptions): readonly FlowNode[] =>
  levelsOf(options)
    .filter(({ under }) => under.includes(id))
    .flatMap((level) => nodesOf(level, options));

/** Returns the whole flow: the outermost work of each thread, with everything below it. */
export const flowTree = (options: FlowOptions): readonly FlowNode[] =>
  levelsOf(options)
    .filter(({ under }) => under.length === 0)
    .flatMap((level) => nodesOf(level, options));

/** Returns the gates of a recorded run of which only the steps are known: a gate is on if its step is among them. */
export const gatesOfSteps = (ids: ReadonlySet<string>): Readonly<Record<string, boolean>> =>
  Object.fromEntries(
    allLevels.flatMap(({ steps }) =>
      Object.values(steps).flatMap(({ id, gate }) => (gate === undefined ? [] : [[gate, ids.has(id)]])),
    ),
  );

/** Returns the ids of every step that the levels of one release and runtime list. */
export const stepIDs = (options: FlowOptions): ReadonlySet<string> =>
  new Set(
    levelsOf(options).flatMap(({ steps, after = {} }) =>
      [...Object.values(steps), ...Object.values(after).flat()].map(({ id }) => id),
    ),
  );
