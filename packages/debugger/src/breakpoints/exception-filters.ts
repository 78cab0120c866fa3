/**
 * Evaluates exception filters. Exception filters stop a thread at events instead of places: errors, first back-offs,
 * sandbox and phase changes.
 */
import { errorMessage } from '@podscope/base';
import type { ExceptionFilter, ExceptionFilterSpec } from '@podscope/protocol';
import { type Context, describeError, type Span } from '@podscope/trace';
import { DebuggerError } from '../errors.ts';
import { Expression, type Scope } from '../expression/expression.ts';
import { containerOf, framesOf, memberAt, type SpanBoundary } from '../gate/span-boundary.ts';
import type { EvaluatedRule } from '../inspect/variables-in-scope.ts';
import { matchesTarget, type PodLookup } from './target.ts';

interface Filter {
  readonly spec: ExceptionFilterSpec;
  readonly condition: Expression | undefined;
}

const backOffReasons: ReadonlySet<string> = new Set(['CrashLoopBackOff', 'ImagePullBackOff']);

/** Points whose end changes the pod's status. */
const statusPoints: ReadonlySet<string> = new Set([
  'kubelet.syncPod.generateAPIPodStatus',
  'kubelet.syncTerminatingPod.generateAPIPodStatus',
  'kubelet.syncTerminatingPod.finalStatus',
  'kubelet.syncTerminatedPod.generateAPIPodStatus',
]);

/** A filter that matched, with the text for the stop. */
export interface FilterHit {
  readonly filter: ExceptionFilter;
  readonly text: string;
}

/** The exception filters of a node. */
export class ExceptionFilters {
  readonly #pods: PodLookup;
  #filters: readonly Filter[] = [];
  /**
   * Spans whose error was already reported. An error stops the thread where it occurs, but not again at each enclosing
   * span.
   */
  readonly #reported = new WeakSet<Span>();
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

  /** Replaces the filters. @throws DebuggerError Invalid for a condition that isn't valid CEL */
  set(specs: readonly ExceptionFilterSpec[]): void {
    this.#filters = specs.map((spec) => ({
      spec,
      condition: spec.condition === undefined ? undefined : Expression.checked(spec.condition),
    }));
  }

  /** Discards everything that is remembered about a deleted pod. */
  forget(uid: string): void {
    this.#backingOff.delete(uid);
    this.#phases.delete(uid);
  }

  /** Returns the filter that matches at the end of a span, or undefined. */
  atEnd(boundary: SpanBoundary, scope: () => Scope): FilterHit | undefined {
    const { span, result, ctx } = boundary;
    const phase = this.#changedPhase(boundary);
    const failure = result?.outcome === 'error' ? describeError(result.error) : undefined;
    const firstBackOff = failure && backOffReasons.has(failure.reason) && this.#isFirstBackOff(boundary);
    const isNew = failure && !this.#reported.has(span);
    if (failure) for (const frame of framesOf(span)) this.#reported.add(frame);
    return (
      (phase === undefined ? undefined : this.#met(ctx, 'phaseChanged', phase, span, scope)) ??
      (firstBackOff
        ? this.#met(ctx, 'firstBackOff', `${containerOf(span) ?? 'a container'}: ${failure.reason}`, span, scope)
        : undefined) ??
      (isNew ? this.#met(ctx, 'anyError', `${failure.reason}: ${failure.message}`, span, scope) : undefined)
    );
  }

  /** Returns the filter that matches an evaluated rule, or undefined. */
  atDecision(ctx: Context, { rule, facts, decisive }: EvaluatedRule, scope: () => Scope): FilterHit | undefined {
    const changed =
      decisive &&
      rule.startsWith('podSandboxChanged.') &&
      rule !== 'podSandboxChanged.unchanged' &&
      facts.sandbox !== undefined;
    return changed ? this.#met(ctx, 'sandboxChanged', rule, ctx.span, scope) : undefined;
  }

  #met(
    ctx: Context,
    filter: ExceptionFilter,
    text: string,
    span: Span | undefined,
    scope: () => Scope,
  ): FilterHit | undefined {
    const found = this.#filters.some(
      ({ spec, condition }) =>
        spec.filter === filter &&
        matchesTarget(ctx, spec, span, span?.point.kind, this.#pods) &&
        holds(condition, scope),
    );
    return found ? { filter, text } : undefined;
  }

  #isFirstBackOff({ ctx, span }: SpanBoundary): boolean {
    const uid = ctx.pod?.uid;
    const container = containerOf(span) ?? '';
    if (uid === undefined) return false;
    const known = this.#backingOff.get(uid) ?? new Set();
    this.#backingOff.set(uid, known);
    return !known.has(container) && known.add(container) !== undefined;
  }

  #changedPhase({ ctx, span, result }: SpanBoundary): string | undefined {
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
    throw new Error(errorMessage(error), { cause: error });
  }
}
