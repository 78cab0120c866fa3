/**
 * Declares the types of the flow's tables: a step, a level (the steps below a point, in order), a release and a
 * runtime.
 */
import type { PointKind } from '@podscope/trace';

/** The Kubernetes releases that the engine implements. */
export type Release = 'v1.36' | 'v1.20';

/**
 * The kind of the runtime. It determines the steps of a CRI call. The steps of a `remote` runtime, which is behind a
 * socket, aren't known.
 */
export type RuntimeKind = 'docker' | 'simulated' | 'remote';

/** A step of a level. The text catalogue contains its title and description under its id. */
export interface Step {
  /** The id, which is unique and never changes, because breakpoints, links and saved runs refer to it. */
  readonly id: string;
  /**
   * The kind of the step's point. A step with the kind `decision` has no span: in the log, it is the decision of this
   * rule.
   */
  readonly kind: PointKind | 'decision';
  /** The upstream function, RPC or HTTP request. */
  readonly upstream: string;
  /**
   * The feature gate of the step. If the gate is off, the step doesn't run and the steps after it keep their numbers,
   * as in upstream's source.
   */
  readonly gate?: string;
}

/** Steps by their name in code, in the order in which they run. */
export type Steps = Readonly<Record<string, Step>>;

/** The steps below one or more points, in order. */
export interface Level {
  /** The name of the level in tests and documents. */
  readonly id: string;
  /** The ids of the points in which these steps run. Empty: each step is the outermost span of its thread. */
  readonly under: readonly string[];
  readonly steps: Steps;
  /** Whether the steps have numbers, which are their positions. False for a set of calls or functions. */
  readonly numbered: boolean;
  /** Unnumbered work between the steps, by the name of the step before it. */
  readonly after?: Readonly<Record<string, readonly Step[]>>;
  /** The release that has this level. Absent: both releases have it. */
  readonly release?: Release;
  /** The runtime that has this level. Absent: every runtime has it. */
  readonly runtime?: RuntimeKind;
}

/** The ids of the steps of a table. */
export type IDOf<S extends Steps> = S[keyof S]['id'];
