/** Inspects stopped threads: stack, scopes, variables, expressions and changes. */
import { errorMessage } from '@podscope/base';
import type { DebugCommand, EvaluateResult, Scope, StackFrame, Variable } from '@podscope/protocol';
import type { Span } from '@podscope/trace';
import { DebuggerError } from '../errors.ts';
import { Expression } from '../expression/expression.ts';
import { framesOf } from '../gate/span-boundary.ts';
import type { ThreadStop } from '../gate/threads.ts';
import type { PointCatalog } from '../point-catalog.ts';
import { type Mask, maxEvaluatedText, memberCount } from './format-value.ts';
import { type EventSource, frameScopes } from './frame-scopes.ts';
import { type Change, Snapshot } from './snapshots.ts';
import { VariableReferences } from './variable-references.ts';
import { scopeOf, scopeOfDecision } from './variables-in-scope.ts';

export interface InspectorOptions {
  readonly catalog: PointCatalog;
  readonly events: EventSource;
  readonly mask: Mask;
}

/** Number of threads whose last stop is remembered. */
const maxRemembered = 200;
/** Number of expressions whose last value is remembered. */
const maxWatched = 2_000;

export class FrameInspector {
  readonly #options: InspectorOptions;
  readonly references: VariableReferences;
  /** The snapshot of the previous stop, by thread. */
  readonly #previous = new Map<string, Snapshot>();
  readonly #present = new Map<string, Snapshot>();
  readonly #watched = new Map<
    string,
    { readonly stop: number; readonly value: string; readonly before: string | undefined }
  >();

  constructor(options: InspectorOptions) {
    this.#options = options;
    this.references = new VariableReferences(options.mask);
  }

  /**
   * Takes a snapshot of the thread that stopped. The next snapshot is compared with this one. Values change in place
   * once the thread continues, so they can't be read later.
   */
  began(stop: ThreadStop): void {
    const { thread } = stop.boundary.ctx;
    const before = this.#present.get(thread);
    if (before) this.#previous.set(thread, before);
    this.#present.delete(thread);
    this.#present.set(thread, new Snapshot(stop.number, this.#scopes(stop, stop.boundary.span), this.#options.mask));
    for (const old of this.#present.keys()) {
      if (this.#present.size <= maxRemembered) break;
      this.#present.delete(old);
      this.#previous.delete(old);
    }
  }

  ended(stop: ThreadStop): void {
    this.references.end(stop);
  }

  stack(
    stop: ThreadStop,
    start = 0,
    levels = 0,
  ): { readonly frames: readonly StackFrame[]; readonly totalFrames: number } {
    const spans = [...framesOf(stop.boundary.span)];
    const shown = spans.slice(start, levels > 0 ? start + levels : undefined);
    return { frames: shown.map((span) => this.#frame(span)), totalFrames: spans.length };
  }

  #frame(span: Span): StackFrame {
    const { id, title, kind, step, upstream } = span.point;
    return { id: span.id, name: title, point: id, kind, step, upstream, source: this.#options.catalog.locate(span) };
  }

  /** Returns the span of a frame, or the innermost one if `frame` is undefined. @throws DebuggerError NotFound */
  spanOf(stop: ThreadStop, frame: number | undefined): Span {
    for (const span of framesOf(stop.boundary.span)) if (frame === undefined || span.id === frame) return span;
    throw new DebuggerError('NotFound', `there is no frame ${frame} in the stack of this thread`);
  }

  /**
   * Converts a `setVariable` command with a reference to a command with the variable's name, because a reference is
   * valid only for one stop of one run.
   * @throws DebuggerError StaleReference
   */
  byName({
    variablesReference,
    name,
    value,
  }: Extract<DebugCommand, { command: 'setVariable' }>): Extract<DebugCommand, { command: 'setExpression' }> {
    const { stop, span, path = '' } = this.references.get(variablesReference);
    return {
      command: 'setExpression',
      thread: stop.boundary.ctx.thread,
      frame: span.id,
      expression: `${path}${name}`,
      value,
    };
  }

  scopes(stop: ThreadStop, frame: number | undefined): readonly Scope[] {
    const span = this.spanOf(stop, frame);
    return [...this.#scopes(stop, span)].flatMap(({ name, value, prefix, expensive }) => {
      const variablesReference = this.references.add({ stop, span, path: prefix, trail: name, value });
      if (variablesReference === 0) return [];
      const { total, indexed } = memberCount(value);
      return [{ name, variablesReference, [indexed ? 'indexedVariables' : 'namedVariables']: total, expensive }];
    });
  }

  variables(
    reference: number,
    start = 0,
    count?: number,
  ): { readonly variables: readonly Variable[]; readonly total: number } {
    const place = this.references.get(reference);
    return this.references.page(place, start, count, this.#previous.get(place.stop.boundary.ctx.thread));
  }

  /** Returns the value of an expression. @throws DebuggerError Invalid */
  evaluate(stop: ThreadStop, frame: number | undefined, text: string): EvaluateResult {
    const span = this.spanOf(stop, frame);
    const { ctx } = stop.boundary;
    const scope =
      span === stop.boundary.span
        ? { ...scopeOf(ctx, span, stop.boundary), ...(stop.decision && scopeOfDecision(ctx, stop.decision)) }
        : scopeOf(ctx, span);
    const value = plain(new Expression(text).evaluate(scope));
    return {
      ...this.references.describe(stop, span, value, undefined, `=${text}`, maxEvaluatedText),
      evaluateName: text,
    };
  }

  /** Returns the value of each expression, or its error. */
  watch(stop: ThreadStop, frame: number | undefined, expressions: readonly string[]): readonly object[] {
    return expressions.map((expression) => {
      try {
        const result = this.evaluate(stop, frame, expression);
        const before = this.#before(`${stop.boundary.ctx.thread} ${expression}`, stop.number, result.value);
        return { expression, ...result, changed: (before !== undefined && before !== result.value) || undefined };
      } catch (error) {
        return { expression, error: errorMessage(error) };
      }
    });
  }

  /**
   * Returns the value of a watched expression at the previous stop. Repeated calls at one stop return the same value.
   */
  #before(key: string, stop: number, value: string): string | undefined {
    const known = this.#watched.get(key);
    const before = known?.stop === stop ? known.before : known?.value;
    if (this.#watched.size > maxWatched) this.#watched.clear();
    this.#watched.set(key, { stop, value, before });
    return before;
  }

  /** Returns the differences from the thread's previous stop. */
  changes(stop: ThreadStop): {
    readonly since?: number;
    readonly changes: readonly Change[];
    readonly truncated: boolean;
  } {
    const { thread } = stop.boundary.ctx;
    const before = this.#previous.get(thread);
    const now = this.#present.get(thread);
    if (!before || !now) return { changes: [], truncated: false };
    return { since: before.stop, ...before.changesTo(now) };
  }

  #scopes(stop: ThreadStop, span: Span): ReturnType<typeof frameScopes> {
    return frameScopes(stop, span, this.#options.events);
  }
}

/** Converts CEL's integers to numbers where possible. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (Array.isArray(value)) return value.map(plain);
  return value;
}
