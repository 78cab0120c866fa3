/** Types of the flow's tables: a step, a level (the ordered steps below one point), a release and a runtime. */
import type { PointKind } from '@podscope/trace';

/** The Kubernetes releases that the engine implements. */
export type Release = 'v1.36' | 'v1.20';

/**
 * The runtime behind CRI. It decides which steps a CRI call consists of: a `remote` one, behind a socket, shows none.
 */
export type RuntimeKind = 'docker' | 'simulated' | 'remote';

/** One step of a level. Its title and description are in the text catalogue under its id. */
export interface Step {
  /** Unique and stable: breakpoints, links and saved runs refer to it. */
  readonly id: string;
  /** `decision` marks a step that appears in the log as a decision with this rule and not as a span. */
  readonly kind: PointKind | 'decision';
  /** The upstream function, RPC or HTTP request. */
  readonly upstream: string;
  /** The feature gate without which the step doesn't run. The steps after it keep their numbers, as in the source. */
  readonly gate?: string;
}

/** Steps by their name in code, in the order in which they run. */
export type Steps = Readonly<Record<string, Step>>;

/** The ordered steps below one or more points. */
export interface Level {
  /** Names the level in tests and documents. */
  readonly id: string;
  /** Ids of the points that these steps run in. Empty: each step is the outermost span of its thread. */
  readonly under: readonly string[];
  readonly steps: Steps;
  /** True if the steps have numbers, which are their positions. False for a set of calls or functions. */
  readonly numbered: boolean;
  /** Work between numbered steps, without a number of its own, by the name of the step before it. */
  readonly after?: Readonly<Record<string, readonly Step[]>>;
  /** The one release that has this level; both if absent. */
  readonly release?: Release;
  /** The one runtime that has this level; any if absent. */
  readonly runtime?: RuntimeKind;
}

/** The ids of the steps of a table. */
export type IDOf<S extends Steps> = S[keyof S]['id'];
