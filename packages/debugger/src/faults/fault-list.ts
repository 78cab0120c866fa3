/** The faults that are set: lists by group, each with its condition and its counters. */
import type { FaultSpec, FaultState } from '@podscope/protocol';
import type { Context, Point, Span } from '@podscope/trace';
import { DebuggerError, messageOf } from '../errors.ts';
import { Expression, type Scope } from '../expression/expression.ts';
import type { PointCatalog } from '../point-catalog.ts';
import { matchesContainer, matchesTarget, type PodLookup } from '../target.ts';
import { matchesWildcard } from '../wildcard.ts';

/** Where PLEG events pass. */
const plegEventPoint = 'kubelet.plegEvent';
const backOffPoint = 'kuberuntime.doBackOff';

/** One fault, ready to be applied. */
export class Fault {
  readonly id: number;
  readonly group: string;
  readonly spec: FaultSpec;
  applied = 0;
  #seen = 0;
  readonly #condition: Expression | undefined;
  #verified = true;
  #message: string | undefined;

  constructor(id: number, group: string, spec: FaultSpec, catalog: PointCatalog) {
    this.id = id;
    this.group = group;
    this.spec = spec;
    try {
      this.#condition = spec.condition === undefined ? undefined : new Expression(spec.condition);
      const problem = misplaced(spec, catalog);
      if (problem !== undefined) throw new DebuggerError('Invalid', problem);
    } catch (error) {
      this.#verified = false;
      this.#message = messageOf(error);
    }
  }

  get armed(): boolean {
    return this.#verified && (this.spec.times === undefined || this.applied < this.spec.times);
  }

  isAt(point: Point): boolean {
    return matchesWildcard(this.spec.at, point.id);
  }

  /** True when it is to be applied now; counts that. */
  takes(scope: () => Scope): boolean {
    if (!this.armed) return false;
    if (this.#condition) {
      try {
        if (!this.#condition.test(scope())) return false;
      } catch (error) {
        this.#message = `the condition could not be judged: ${messageOf(error)}`;
        return false;
      }
    }
    if (this.#seen++ < (this.spec.skip ?? 0)) return false;
    this.applied += 1;
    return true;
  }

  state(): FaultState {
    const { id, group, spec, applied } = this;
    return { id, group, spec, verified: this.#verified, message: this.#message, applied };
  }
}

/** Why a fault could never do anything where it is. */
function misplaced({ at, drop, duplicate, answer, skipWait, when }: FaultSpec, catalog: PointCatalog): string | undefined {
  const points = catalog.matching(at);
  if (points.length === 0) return `this node has no point ${at}`;
  const isPleg = at === plegEventPoint;
  if ((drop || duplicate !== undefined) !== isPleg)
    return isPleg ? 'a PLEG event can only be dropped or duplicated' : `only PLEG events (at: ${plegEventPoint}) can be dropped or duplicated`;
  if (answer && !points.every(({ kind }) => kind === 'probe' || kind === 'hook')) return 'only probes (kubelet.probe) and hooks (lifecycle.*) can be answered';
  if (answer && when === 'after') return 'an answer stands for the work: leave `when` out';
  if (skipWait && at !== backOffPoint) return `only at ${backOffPoint} is there a wait to skip`;
  return undefined;
}

/** All faults. */
export class FaultList {
  readonly #catalog: PointCatalog;
  readonly #pods: PodLookup;
  #list: readonly Fault[] = [];
  #lastID = 0;
  readonly #atPoint = new Map<string, readonly Fault[]>();

  constructor(catalog: PointCatalog, pods: PodLookup) {
    this.#catalog = catalog;
    this.#pods = pods;
  }

  get all(): readonly Fault[] {
    return this.#list;
  }

  get idle(): boolean {
    return !this.#list.some(({ armed }) => armed);
  }

  /** Makes a group hold exactly these, with fresh counters. */
  replace(group: string, specs: readonly FaultSpec[]): readonly Fault[] {
    const own = specs.map((spec) => new Fault(++this.#lastID, group, spec, this.#catalog));
    this.#list = [...this.#list.filter((fault) => fault.group !== group), ...own];
    this.#atPoint.clear();
    return own;
  }

  /** True when some fault is at that side of the point. */
  mayApply(point: Point, phase: 'before' | 'after'): boolean {
    return this.#at(point, phase).length > 0;
  }

  /** The faults to apply here and now, in the order in which they were set. */
  *take(ctx: Context, span: Span, phase: 'before' | 'after', scope: () => Scope): Generator<Fault> {
    for (const fault of this.#at(span.point, phase)) {
      if (matchesTarget(fault.spec, ctx, span, span.point.kind, this.#pods) && fault.takes(scope)) yield fault;
    }
  }

  /** The faults for a message of the flow, which has no span of its own. */
  *takeForMessage(ctx: Context, point: Point, container: string | undefined, scope: () => Scope): Generator<Fault> {
    for (const fault of this.#at(point, 'before')) {
      const { container: _, containerType: __, ...place } = fault.spec;
      const here = matchesTarget(place, ctx, undefined, point.kind, this.#pods) && matchesContainer(fault.spec, ctx, container, this.#pods);
      if (here && fault.takes(scope)) yield fault;
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
