/** Manages the faults of a node. They are kept in lists by group; each has its own condition and counters. */
import { createRandom, errorMessage, type Random } from '@podscope/base';
import type { FaultSpec, FaultState } from '@podscope/protocol';
import type { Context, Instant, Point, Span } from '@podscope/trace';
import { matchesTarget, type PodLookup } from '../breakpoints/target.ts';
import { matchesWildcard } from '../breakpoints/wildcard.ts';
import { DebuggerError } from '../errors.ts';
import { Expression, type Scope } from '../expression/expression.ts';
import type { PointCatalog } from '../point-catalog.ts';
import { toMilliseconds } from './duration.ts';
import { misplacedAction } from './placement.ts';

/** A fault as it is saved. */
interface KeptFault {
  readonly id: number;
  readonly group: string;
  readonly spec: FaultSpec;
  readonly seen: number;
  readonly applied: number;
  /** The time from which the fault no longer applies; absent if it doesn't expire. */
  readonly until?: number | undefined;
}

/** A fault with its parsed condition and its counters. */
export class Fault {
  readonly id: number;
  readonly group: string;
  readonly spec: FaultSpec;
  readonly #isKept: boolean;
  #applied: number;
  #seen: number;
  readonly #random: Random;
  readonly #now: () => Instant;
  /** The time from which the fault no longer applies; infinite if it doesn't expire. */
  readonly until: number;
  readonly #condition: Expression | undefined;
  #verified = true;
  #message: string | undefined;

  constructor(
    { id, group, spec, seen, applied, until = Number.POSITIVE_INFINITY }: KeptFault,
    isKept: boolean,
    { catalog, now, expiry }: Pick<FaultListOptions, 'catalog' | 'now' | 'expiry'>,
  ) {
    const expires = spec.expires ?? expiry;
    this.#now = now;
    // A fault that was saved keeps its end. It never lasts longer than its expiry, even if the clock was set back.
    this.until = expires === undefined ? until : Math.min(until, now() + toMilliseconds(expires));
    this.#random = createRandom(spec.seed ?? 0);
    // Draw the random numbers that the fault used before it was saved, so that its choices continue in the same
    // sequence.
    for (let drawn = 0; drawn < seen; drawn += 1) this.#random.next();
    this.id = id;
    this.group = group;
    this.spec = spec;
    this.#seen = seen;
    this.#applied = applied;
    this.#isKept = isKept;
    try {
      this.#condition = spec.condition === undefined ? undefined : Expression.checked(spec.condition);
      const problem = misplaced(spec, catalog);
      if (problem !== undefined) throw new DebuggerError('Invalid', problem);
    } catch (error) {
      this.#verified = false;
      this.#message = errorMessage(error);
    }
  }

  /** True if the fault has been applied `times` times. */
  get isSpent(): boolean {
    return this.spec.times !== undefined && this.#applied >= this.spec.times;
  }

  get hasExpired(): boolean {
    return this.#now() >= this.until;
  }

  get armed(): boolean {
    return this.#verified && !this.isSpent && !this.hasExpired;
  }

  isAt(point: Point): boolean {
    return matchesWildcard(this.spec.at, point.id);
  }

  /** Returns true if the fault applies to this occurrence, and updates the counters. */
  takes(scope: () => Scope): boolean {
    if (!this.armed) return false;
    if (this.#condition) {
      try {
        if (!this.#condition.test(scope())) return false;
      } catch (error) {
        this.#message = `the condition could not be judged: ${errorMessage(error)}`;
        return false;
      }
    }
    const { skip = 0, probability = 1 } = this.spec;
    const draw = this.#random.next();
    if (this.#seen++ < skip || draw >= probability) return false;
    this.#applied += 1;
    return true;
  }

  state(): FaultState {
    const { id, group, spec } = this;
    return {
      id,
      group,
      spec,
      verified: this.#verified,
      message: this.hasExpired ? 'the fault has expired' : this.#message,
      applied: this.#applied,
      ...(this.#isKept ? { kept: true } : {}),
    };
  }

  /** Returns the state to save. */
  kept(): KeptFault {
    const { id, group, spec, until } = this;
    const end = Number.isFinite(until) ? { until } : {};
    return { id, group, spec, seen: this.#seen, applied: this.#applied, ...end };
  }
}

/** Returns the reason why a fault can never have an effect at its place, or undefined. */
function misplaced(spec: FaultSpec, catalog: PointCatalog): string | undefined {
  const points = catalog.matching(spec.at);
  return points.length === 0 ? catalog.missing(spec.at) : misplacedAction(spec, spec.when ?? 'before', points);
}

export interface FaultListOptions {
  readonly catalog: PointCatalog;
  readonly pods: PodLookup;
  /** Called when the counters of a fault have changed. */
  readonly counted: () => void;
  readonly now: () => Instant;
  /** The expiry of faults that don't state their own. Default: they don't expire. */
  readonly expiry?: FaultSpec['expires'];
}

/** The list of all faults, with lookups by point. */
export class FaultList {
  readonly #options: FaultListOptions;
  #list: readonly Fault[] = [];
  #lastID = 0;
  readonly #atPoint = new Map<string, readonly Fault[]>();

  constructor(options: FaultListOptions) {
    this.#options = options;
  }

  get all(): readonly Fault[] {
    return this.#list;
  }

  get idle(): boolean {
    return !this.#list.some(({ armed }) => armed);
  }

  /**
   * Replaces the faults of a group. The new faults start with counters at 0.
   * @param since the time from which their expiry counts
   */
  replace(group: string, specs: readonly FaultSpec[], since: number = this.#options.now()): readonly Fault[] {
    const own = specs.map((spec) => {
      const expires = spec.expires ?? this.#options.expiry;
      const until = expires === undefined ? undefined : since + toMilliseconds(expires);
      return new Fault({ id: ++this.#lastID, group, spec, seen: 0, applied: 0, until }, false, this.#options);
    });
    this.#list = [...this.#list.filter((fault) => fault.group !== group), ...own];
    this.#atPoint.clear();
    return own;
  }

  /** Restores the saved faults that haven't expired, with their ids and counters. Returns them. */
  restore(kept: readonly KeptFault[]): readonly Fault[] {
    this.#list = kept.map((fault) => new Fault(fault, true, this.#options)).filter(({ hasExpired }) => !hasExpired);
    this.#lastID = Math.max(0, ...kept.map(({ id }) => id));
    this.#atPoint.clear();
    return this.#list;
  }

  /** Returns true if any fault is set at this side of the point. */
  mayApply(point: Point, phase: 'before' | 'after'): boolean {
    return this.#at(point, phase).length > 0;
  }

  /** Yields the faults to apply at this boundary, in the order in which they were set. */
  *take(ctx: Context, span: Span, phase: 'before' | 'after', scope: () => Scope): Generator<Fault> {
    for (const fault of this.#at(span.point, phase)) {
      if (!matchesTarget(ctx, fault.spec, span, span.point.kind, this.#options.pods)) continue;
      const { seen } = fault.kept();
      const takes = fault.takes(scope);
      if (fault.kept().seen !== seen) this.#options.counted();
      if (takes) yield fault;
    }
  }

  #at(point: Point, phase: 'before' | 'after'): readonly Fault[] {
    const key = `${phase} ${point.id}`;
    let found = this.#atPoint.get(key);
    if (!found) {
      found = this.#list.filter((fault) => fault.armed && (fault.spec.when ?? 'before') === phase && fault.isAt(point));
      this.#atPoint.set(key, found);
    }
    return found;
  }
}
