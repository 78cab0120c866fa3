/** Builds the flow as a tree. Each level is below the point in which its steps run. */
import type { Level, Release, RuntimeKind, Step } from './level.ts';
import { allLevels } from './levels/all.ts';
import { stepText } from './texts/catalogue.ts';

/** Selects the flow of a node: its release, feature gates and runtime. */
export interface FlowOptions {
  readonly release: Release;
  /** The feature gates by name. A gate that isn't in the object is off. */
  readonly gates?: Readonly<Record<string, boolean>> | undefined;
  /** The kind of the runtime. Default: `simulated`. */
  readonly runtime?: RuntimeKind | undefined;
}

/** A step at its place in the tree. */
export interface FlowNode extends Step {
  /** The English title. For other languages, pass the id to {@link stepText}. */
  readonly title: string;
  readonly description: string;
  /** The position of the step in its level, from 1; absent for calls and for work between numbered steps. */
  readonly number?: number;
  /** The id of the level that lists this step. */
  readonly level: string;
  readonly children: readonly FlowNode[];
}

const isGateOn = ({ gate }: Step, gates: Readonly<Record<string, boolean>>): boolean =>
  gate === undefined || gates[gate] === true;

/** Returns the levels of a release and a runtime. */
export const levelsOf = ({ release, runtime = 'simulated' }: FlowOptions): readonly Level[] =>
  allLevels.filter((level) => (level.release ?? release) === release && (level.runtime ?? runtime) === runtime);

function nodesOf(level: Level, options: FlowOptions): readonly FlowNode[] {
  const node = (step: Step, number?: number): FlowNode => {
    // Many steps call the same functions, so the whole tree is large. Children are created only when they are read.
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
 * Returns the steps that run inside a point, in order, with all steps below them. Empty if the point has no steps.
 *
 * A function that several steps call, for example `killContainer`, is below each of these steps.
 */
export const stepsBelow = (id: string, options: FlowOptions): readonly FlowNode[] =>
  levelsOf(options)
    .filter(({ under }) => under.includes(id))
    .flatMap((level) => nodesOf(level, options));

/** Returns the whole flow: the outermost work of each thread, with all steps below it. */
export const flowTree = (options: FlowOptions): readonly FlowNode[] =>
  levelsOf(options)
    .filter(({ under }) => under.length === 0)
    .flatMap((level) => nodesOf(level, options));

/**
 * Returns the feature gates of a recorded run, from the ids of its steps. A gate is on if the run contains the step
 * that depends on the gate.
 */
export const gatesOfSteps = (ids: ReadonlySet<string>): Readonly<Record<string, boolean>> =>
  Object.fromEntries(
    allLevels.flatMap(({ steps }) =>
      Object.values(steps).flatMap(({ id, gate }) => (gate === undefined ? [] : [[gate, ids.has(id)]])),
    ),
  );

/** Returns the ids of all steps in the levels of a release and a runtime. */
export const stepIDs = (options: FlowOptions): ReadonlySet<string> =>
  new Set(
    levelsOf(options).flatMap(({ steps, after = {} }) =>
      [...Object.values(steps), ...Object.values(after).flat()].map(({ id }) => id),
    ),
  );
