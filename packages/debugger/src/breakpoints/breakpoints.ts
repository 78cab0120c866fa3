/**
 * Manages the breakpoints of a node. They are kept in lists by group; each has its own condition, hit count and effect.
 */
import { errorMessage } from '@podscope/base';
import type { BreakpointSpec, BreakpointState, SourceLocation } from '@podscope/protocol';
import type { Point } from '@podscope/trace';
import { DebuggerError } from '../errors.ts';
import { Expression, type Scope } from '../expression/expression.ts';
import { LogMessage } from '../expression/log-message.ts';
import type { PointCatalog } from '../point-catalog.ts';
import { parseHitCondition } from './hit-condition.ts';
import { matchesWildcard } from './wildcard.ts';

/** The effect of a breakpoint that is hit: it stops the thread, or logs a message. */
export type BreakpointEffect = 'stop' | LogMessage;

/** A breakpoint with its parsed condition, hit condition and log message. */
export class Breakpoint {
  readonly id: number;
  readonly group: string;
  readonly spec: BreakpointSpec;
  /** The pattern of point ids; undefined for a breakpoint at a rule, which names no point. */
  readonly pointPattern: string | undefined;
  readonly decisionPattern: string | undefined;
  readonly source: SourceLocation | undefined;
  hits = 0;
  /** The points of the function that `spec.point` names; empty if it is the id of a point or a pattern. */
  readonly #functionPoints: readonly string[];
  readonly #condition: Expression | undefined;
  readonly #counts: (hits: number) => boolean = () => true;
  readonly #effect: BreakpointEffect = 'stop';
  #verified = true;
  #message: string | undefined;
  #problem: string | undefined;

  constructor(id: number, group: string, spec: BreakpointSpec, catalog: PointCatalog) {
    this.id = id;
    this.group = group;
    this.spec = spec;
    const place = spec.source ? catalog.atLine(spec.source.path, spec.source.line) : undefined;
    this.pointPattern = spec.point ?? place?.point;
    this.decisionPattern = spec.decision ?? place?.decision;
    const name = spec.point;
    this.#functionPoints =
      name === undefined || catalog.matching(name).length > 0
        ? []
        : catalog.ofFunction(name).map(({ id: point }) => point);
    const [first = spec.point] = this.#functionPoints;
    this.source = place?.source ?? catalog.locateFirst(first === undefined ? spec : { ...spec, point: first });
    try {
      this.#condition = spec.condition === undefined ? undefined : Expression.checked(spec.condition);
      if (spec.hitCondition !== undefined) this.#counts = parseHitCondition(spec.hitCondition);
      if (spec.logMessage !== undefined) this.#effect = new LogMessage(spec.logMessage);
      const problem = this.#unreachable(catalog);
      if (problem !== undefined) throw new DebuggerError('Invalid', problem);
      if (spec.decision !== undefined || place?.decision !== undefined)
        this.#message = 'Rules are evaluated within a step: the thread stops at the next start or end of a step.';
    } catch (error) {
      this.#verified = false;
      this.#message = errorMessage(error);
    }
  }

  #unreachable(catalog: PointCatalog): string | undefined {
    const { point, kind, decision, source, when } = this.spec;
    if (source && !this.pointPattern && !this.decisionPattern)
      return `there is no point of the flow at or after line ${source.line} of ${source.path}`;
    if (point !== undefined && this.#functionPoints.length === 0 && catalog.matching(point).length === 0)
      return catalog.missing(point);
    if (kind !== undefined && !catalog.hasKind(kind)) return `this node has no points of kind ${kind}`;
    if (decision !== undefined && !catalog.hasRule(decision)) return `there is no rule ${decision}`;
    if (this.decisionPattern !== undefined && when === 'error') return 'a decision has no error: omit `when`';
    return undefined;
  }

  /** True if the breakpoint is verified and enabled. */
  get armed(): boolean {
    return this.#verified && this.spec.enabled !== false;
  }

  get effect(): BreakpointEffect {
    return this.#effect;
  }

  isAt(point: Point): boolean {
    if (this.decisionPattern !== undefined) return false;
    if (this.spec.kind !== undefined) return this.spec.kind === point.kind;
    if (this.#functionPoints.length > 0) return this.#functionPoints.includes(point.id);
    return this.pointPattern !== undefined && matchesWildcard(this.pointPattern, point.id);
  }

  isAtDecision(rule: string): boolean {
    return this.decisionPattern !== undefined && matchesWildcard(this.decisionPattern, rule);
  }

  /** Evaluates the condition and counts the hit if it is true. Returns true if the hit condition is met too. */
  meets(scope: () => Scope): boolean {
    if (this.#condition) {
      try {
        const holds = this.#condition.test(scope());
        this.#problem = undefined;
        if (!holds) return false;
      } catch (error) {
        this.#problem = `the condition could not be judged: ${errorMessage(error)}`;
        return false;
      }
    }
    this.hits += 1;
    return this.#counts(this.hits);
  }

  /** The reason why the last evaluation of the condition failed, or undefined. */
  get problem(): string | undefined {
    return this.#problem;
  }

  state(): BreakpointState {
    const { id, group, spec, hits, source } = this;
    return { id, group, spec, verified: this.#verified, message: this.#problem ?? this.#message, source, hits };
  }
}

/** Returns a key that is equal for equal specs, regardless of the order of their members. */
const keyOf = (spec: BreakpointSpec): string =>
  JSON.stringify(Object.entries(spec).toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** Maximum number of breakpoints of a node. */
const maxBreakpoints = 2_000;

/** The list of all breakpoints, with lookups by point and rule. */
export class BreakpointList {
  readonly #catalog: PointCatalog;
  #list: readonly Breakpoint[] = [];
  #lastID = 0;
  /** The breakpoints by point id and phase, cached because every span boundary looks them up. */
  readonly #atPoint = new Map<string, readonly Breakpoint[]>();

  constructor(catalog: PointCatalog) {
    this.#catalog = catalog;
  }

  get all(): readonly Breakpoint[] {
    return this.#list;
  }

  /** True if no breakpoint is armed, so none can be hit. */
  get idle(): boolean {
    return !this.#list.some(({ armed }) => armed);
  }

  /**
   * Replaces the breakpoints of a group. A breakpoint that is in the old and the new list keeps its id and hit count.
   * @returns the group's breakpoints in the order of `specs`
   */
  replace(group: string, specs: readonly BreakpointSpec[]): readonly Breakpoint[] {
    const others = this.#list.filter((breakpoint) => breakpoint.group !== group);
    if (others.length + specs.length > maxBreakpoints)
      throw new DebuggerError('Invalid', `a node has at most ${maxBreakpoints} breakpoints`);
    const kept = new Map<string, Breakpoint[]>();
    for (const breakpoint of this.#list.filter((candidate) => candidate.group === group)) {
      const key = keyOf(breakpoint.spec);
      kept.set(key, [...(kept.get(key) ?? []), breakpoint]);
    }
    const own = specs.map(
      (spec) => kept.get(keyOf(spec))?.shift() ?? new Breakpoint(++this.#lastID, group, spec, this.#catalog),
    );
    this.#set([...others, ...own]);
    return own;
  }

  /** Returns the state that a breakpoint would have, without adding it. */
  check(spec: BreakpointSpec): BreakpointState {
    return new Breakpoint(0, '', spec, this.#catalog).state();
  }

  /** Adds a breakpoint to a group. */
  add(group: string, spec: BreakpointSpec): Breakpoint {
    const breakpoint = new Breakpoint(++this.#lastID, group, spec, this.#catalog);
    this.#set([...this.#list, breakpoint]);
    return breakpoint;
  }

  remove(breakpoint: Breakpoint): void {
    this.#set(this.#list.filter((candidate) => candidate !== breakpoint));
  }

  /** Restores saved breakpoints with their ids. */
  restore(kept: readonly { readonly id: number; readonly group: string; readonly spec: BreakpointSpec }[]): void {
    this.#set(kept.map(({ id, group, spec }) => new Breakpoint(id, group, spec, this.#catalog)));
    this.#lastID = Math.max(0, ...kept.map(({ id }) => id));
  }

  /** Returns the armed breakpoints at one side of a point. */
  at(point: Point, phase: 'before' | 'after'): readonly Breakpoint[] {
    const key = `${phase} ${point.id}`;
    let found = this.#atPoint.get(key);
    if (!found) {
      found = this.#list.filter(
        (breakpoint) =>
          breakpoint.armed &&
          ((breakpoint.spec.when ?? 'before') === 'before') === (phase === 'before') &&
          breakpoint.isAt(point),
      );
      this.#atPoint.set(key, found);
    }
    return found;
  }

  /** Returns the armed breakpoints at a rule. */
  atDecision(rule: string): readonly Breakpoint[] {
    const key = `decision ${rule}`;
    let found = this.#atPoint.get(key);
    if (!found) {
      found = this.#list.filter((breakpoint) => breakpoint.armed && breakpoint.isAtDecision(rule));
      this.#atPoint.set(key, found);
    }
    return found;
  }

  #set(list: readonly Breakpoint[]): void {
    this.#list = list;
    this.#atPoint.clear();
  }
}
