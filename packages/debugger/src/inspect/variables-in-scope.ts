/** Returns the variables that expressions can use at a place in the flow. */
import { type Attributes, type Context, describeError, type Span } from '@podscope/trace';
import type { Scope } from '../expression/expression.ts';
import { containerOf, exposedAt, exposedNames, framesOf, type SpanBoundary } from '../gate/span-boundary.ts';

const identifier = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** An evaluated rule, with the values that breakpoints at rules use. */
export interface EvaluatedRule {
  readonly rule: string;
  readonly facts: Attributes;
  readonly outcome: unknown;
  /** False if the rule left the decision to later rules. */
  readonly decisive: boolean;
}

/**
 * Returns the variables that exist everywhere. If no error occurred, `error` and `reason` are empty rather than
 * missing, so that conditions can use them.
 */
function contextScope(ctx: Context, span: Span | undefined): Scope {
  const { pod } = ctx;
  return {
    thread: () => ctx.thread,
    namespace: () => pod?.namespace ?? '',
    podName: () => pod?.name ?? '',
    podUID: () => pod?.uid ?? '',
    container: () => (span && containerOf(span)) ?? '',
    now: () => ctx.clock.now(),
    error: () => '',
    reason: () => '',
  };
}

/** Returns the variables of a span. A value of the span hides a value of the same name in an enclosing span. */
export function scopeOf(ctx: Context, span: Span, boundary?: SpanBoundary): Scope {
  const scope: Record<string, () => unknown> = { ...contextScope(ctx, span) };
  for (const name of exposedNames(span)) if (identifier.test(name)) scope[name] = () => exposedAt(span, name)?.read();
  for (const frame of [...framesOf(span)].toReversed()) {
    for (const values of [frame.values, frame.attributes]) {
      for (const [name, value] of Object.entries(values ?? {}))
        if (identifier.test(name) && value !== undefined) scope[name] = () => value;
    }
  }
  // Through `args`, expressions can use values whose names have a meaning in CEL, such as `type`.
  scope.args = () => span.values;
  scope.point = () => span.point.id;
  scope.kind = () => span.point.kind;
  if (!boundary) return scope;
  scope.phase = () => boundary.phase;
  const { result } = boundary;
  if (!result) return scope;
  scope.outcome = () => result.outcome;
  if (result.outcome === 'ok') scope.result = () => result.value;
  else {
    const { reason, message } = describeError(result.error);
    scope.error = () => message;
    scope.reason = () => reason;
  }
  return scope;
}

/** Returns the variables for a condition at a rule. The rule's facts hide the variables of the enclosing spans. */
export function scopeOfDecision(ctx: Context, { rule, facts, outcome }: EvaluatedRule): Scope {
  const scope: Record<string, () => unknown> = {
    ...(ctx.span ? scopeOf(ctx, ctx.span) : contextScope(ctx, undefined)),
  };
  for (const [name, value] of Object.entries(facts))
    if (identifier.test(name) && value !== undefined) scope[name] = () => value;
  return { ...scope, args: () => facts, rule: () => rule, facts: () => facts, outcome: () => outcome };
}
