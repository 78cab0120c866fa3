/** The names an expression knows at a place of the flow, and what they stand for. */
import { type Attributes, type Context, describeError, type Span } from '@podscope/trace';
import type { Scope } from './expression/expression.ts';
import { containerOf, exposedAt, exposedNames, framesOf, type Passage } from './passage.ts';

const identifier = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** A weighed rule, as a breakpoint at a decision sees it. */
export interface WeighedRule {
  readonly rule: string;
  readonly facts: Attributes;
  readonly outcome: unknown;
}

/** What is known everywhere. `error` and `reason` are empty where nothing failed, so that a condition can name them. */
function surroundings(ctx: Context, span: Span | undefined): Scope {
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

/** Everything around a span, its own values over those of the spans around it. */
export function scopeOf(ctx: Context, span: Span, passage?: Passage): Scope {
  const scope: Record<string, () => unknown> = { ...surroundings(ctx, span) };
  for (const name of exposedNames(span)) if (identifier.test(name)) scope[name] = () => exposedAt(span, name)?.read();
  for (const frame of [...framesOf(span)].toReversed()) {
    for (const values of [frame.values, frame.attributes]) {
      for (const [name, value] of Object.entries(values ?? {})) if (identifier.test(name) && value !== undefined) scope[name] = () => value;
    }
  }
  // For names that CEL has a meaning of its own for, such as `type`.
  scope.args = () => span.values;
  scope.point = () => span.point.id;
  scope.kind = () => span.point.kind;
  if (!passage) return scope;
  scope.phase = () => passage.phase;
  const { result } = passage;
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

/** What a condition at a decision sees: the facts, over what is around. */
export function scopeOfDecision(ctx: Context, { rule, facts, outcome }: WeighedRule): Scope {
  const scope: Record<string, () => unknown> = { ...(ctx.span ? scopeOf(ctx, ctx.span) : surroundings(ctx, undefined)) };
  for (const [name, value] of Object.entries(facts)) if (identifier.test(name) && value !== undefined) scope[name] = () => value;
  return { ...scope, args: () => facts, rule: () => rule, facts: () => facts, outcome: () => outcome };
}
