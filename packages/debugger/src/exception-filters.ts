/** What is stopped at without naming a place: any error, a first back-off, a changed sandbox, a changed phase. */
import type { ExceptionFilter, ExceptionFilterSpec } from '@podscope/protocol';
import { type Context, describeError, type Span } from '@podscope/trace';
import { DebuggerError, messageOf } from './errors.ts';
import { Expression, type Scope } from './expression/expression.ts';
import { containerOf, framesOf, memberAt, type Passage } from './passage.ts';
import { matchesTarget, type PodLookup } from './target.ts';
import type { WeighedRule } from './variables-in-scope.ts';

interface Filter {
  readonly spec: ExceptionFilterSpec;
  readonly condition: Expression | undefined;
}

const backOffReasons: ReadonlySet<string> = new Set(['CrashLoopBackOff', 'ImagePullBackOff']);

/** Points at whose end a status of the pod is known. */
const statusPoints: ReadonlySet<string> = new Set([
  'kubelet.syncPod.generateAPIPodStatus',
  'kubelet.syncTerminatingPod.generateAPIPodStatus',
  'kubelet.syncTerminatingPod.finalStatus',
  'kubelet.syncTerminatedPod.generateAPIPodStatus',
]);

/** What a filter found. */
export interface FilterHit {
  readonly filter: ExceptionFilter;
  readonly text: string;
}

/** The filters that are set. */
export class ExceptionFilters {
  readonly #pods: PodLookup;
  #filters: readonly Filter[] = [];
  /** An error is met where it arises, not again at each span around it. */
  readonly #told = new WeakSet<Span>();
  /** Containers known to be in back-off, by pod UID. */
  readonly #backingOff = new Map<string, Set<string>>();
  readonly #phases = new Map<string, string>();

  constructor(pods: PodLookup) {
    this.#pods = pods;
  }

  get specs(): readonly ExceptionFilterSpec[] {
    return this.#filters.map(({ spec }) => spec);
  }

  get idle(): boolean {
    return this.#filters.length === 0;
  }

  /** @throws DebuggerError Invalid for a condition that is not CEL */
  set(specs: readonly ExceptionFilterSpec[]): void {
    this.#filters = specs.map((spec) => ({ spec, condition: spec.condition === undefined ? undefined : new Expression(spec.condition) }));
  }

  /** The pod is gone. */
  forget(uid: string): void {
    this.#backingOff.delete(uid);
    this.#phases.delete(uid);
  }

  /** What is met at the end of a span. */
  atEnd(passage: Passage, scope: () => Scope): FilterHit | undefined {
    const { span, result, ctx } = passage;
    const phase = this.#changedPhase(passage);
    const failure = result?.outcome === 'error' ? describeError(result.error) : undefined;
    const firstBackOff = failure && backOffReasons.has(failure.reason) && this.#isFirstBackOff(passage);
    const isNew = failure && !this.#told.has(span);
    if (failure) for (const frame of framesOf(span)) this.#told.add(frame);
    return (
      (phase === undefined ? undefined : this.#met('phaseChanged', phase, ctx, span, scope)) ??
      (firstBackOff ? this.#met('firstBackOff', `${containerOf(span) ?? 'a container'}: ${failure.reason}`, ctx, span, scope) : undefined) ??
      (isNew ? this.#met('anyError', `${failure.reason}: ${failure.message}`, ctx, span, scope) : undefined)
    );
  }

  /** What is met when a rule was weighed. */
  atDecision(ctx: Context, { rule, facts, outcome }: WeighedRule, scope: () => Scope): FilterHit | undefined {
    const changed = rule.startsWith('podSandboxChanged.') && typeof outcome === 'string' && outcome.startsWith('a new sandbox') && facts.sandbox !== undefined;
    return changed ? this.#met('sandboxChanged', rule, ctx, ctx.span, scope) : undefined;
  }

  #met(filter: ExceptionFilter, text: string, ctx: Context, span: Span | undefined, scope: () => Scope): FilterHit | undefined {
    const found = this.#filters.some(
      ({ spec, condition }) => spec.filter === filter && matchesTarget(spec, ctx, span, span?.point.kind, this.#pods) && holds(condition, scope),
    );
    return found ? { filter, text } : undefined;
  }

  #isFirstBackOff({ ctx, span }: Passage): boolean {
    const uid = ctx.pod?.uid;
    const container = containerOf(span) ?? '';
    if (uid === undefined) return false;
    const known = this.#backingOff.get(uid) ?? new Set();
    this.#backingOff.set(uid, known);
    return !known.has(container) && known.add(container) !== undefined;
  }

  #changedPhase({ ctx, span, result }: Passage): string | undefined {
    if (result?.outcome !== 'ok' || ctx.pod === undefined || !statusPoints.has(span.point.id)) return undefined;
    const phase = memberAt(span.attributes, 'status', 'phase');
    if (typeof phase !== 'string') return undefined;
    const { uid } = ctx.pod;
    const before = this.#phases.get(uid) ?? this.#pods(uid)?.status?.phase;
    this.#phases.set(uid, phase);
    return before === undefined || before === phase ? undefined : `${before} → ${phase}`;
  }
}

function holds(condition: Expression | undefined, scope: () => Scope): boolean {
  if (!condition) return true;
  try {
    return condition.test(scope());
  } catch (error) {
    if (error instanceof DebuggerError) return false;
    throw new Error(messageOf(error), { cause: error });
  }
}
