/** CEL expressions of clients: conditions, watches, the expressions in log messages. Bounded in size, nesting and work. */
import { Environment, type ParseResult } from '@marcbachmann/cel-js';
import { maxExpressionLength } from '@podscope/protocol';
import { DebuggerError, messageOf } from '../errors.ts';
import { Budget, celView } from './cel-view.ts';

/** What an expression can name; values are read when it does. */
export type Scope = Readonly<Record<string, () => unknown>>;

const environment = new Environment({
  unlistedVariablesAreDyn: true,
  homogeneousAggregateLiterals: false,
  enableOptionalTypes: true,
  limits: { maxAstNodes: 200, maxDepth: 24, maxListElements: 50, maxMapEntries: 50, maxCallArguments: 8 },
});

/** Macros run their argument for each element: more levels than this multiply into too much. */
const maxNestedMacros = 2;
const macros: ReadonlySet<unknown> = new Set(['all', 'exists', 'exists_one', 'map', 'filter', 'transformList', 'transformMap']);

/** A group that repeats and is itself repeated makes a pattern's cost explode. */
const nestedRepetition = /\([^)]*[*+}][^)]*\)\s*[*+{]/;
const maxPatternLength = 200;

interface Node {
  readonly op: string;
  readonly args: unknown;
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'op' in value && 'args' in value;

/** @throws DebuggerError Invalid for what could keep the node busy */
function checkCost(value: unknown, nesting: number): void {
  if (Array.isArray(value)) {
    for (const item of value) checkCost(item, nesting);
    return;
  }
  if (!isNode(value)) return;
  const { op, args } = value;
  let inside = nesting;
  if (op === 'rcall' && Array.isArray(args)) {
    const [name, , given] = args as readonly unknown[];
    if (macros.has(name) && ++inside > maxNestedMacros) throw new DebuggerError('Invalid', `at most ${maxNestedMacros} macros may be nested`);
    if (name === 'matches') checkPattern(Array.isArray(given) ? given[0] : undefined);
  }
  if (op === 'call' && Array.isArray(args) && args[0] === 'matches') checkPattern((args as readonly unknown[][])[1]?.[1]);
  checkCost(args, inside);
}

function checkPattern(node: unknown): void {
  const text = isNode(node) && node.op === 'value' ? node.args : undefined;
  if (typeof text !== 'string') throw new DebuggerError('Invalid', 'matches() needs its pattern as a literal text');
  if (text.length > maxPatternLength || nestedRepetition.test(text) || /\\\d/.test(text))
    throw new DebuggerError('Invalid', 'the pattern of matches() is too costly: no repetition inside a repetition, no back reference');
}

/** A parsed expression. */
export class Expression {
  readonly text: string;
  readonly #parsed: ParseResult;

  /** @throws DebuggerError Invalid saying where and what */
  constructor(text: string) {
    this.text = text;
    if (text.length > maxExpressionLength) throw new DebuggerError('Invalid', `an expression may have ${maxExpressionLength} characters`);
    try {
      this.#parsed = environment.parse(text);
    } catch (error) {
      throw new DebuggerError('Invalid', `${JSON.stringify(text)} is not CEL: ${firstLine(error)}`, { cause: error });
    }
    checkCost(this.#parsed.ast, 0);
  }

  /** The value. @throws DebuggerError Invalid when it has none here */
  evaluate(scope: Scope): unknown {
    const budget = new Budget();
    const variables: Record<string, unknown> = {};
    for (const [name, read] of Object.entries(scope)) Object.defineProperty(variables, name, { enumerable: true, get: () => celView(read(), budget) });
    try {
      return this.#parsed(variables);
    } catch (error) {
      throw new DebuggerError('Invalid', `${this.text}: ${firstLine(error)}`, { cause: error });
    }
  }

  /** True or not. @throws DebuggerError Invalid when it has no value here, or another one */
  test(scope: Scope): boolean {
    const value = this.evaluate(scope);
    if (typeof value === 'boolean') return value;
    throw new DebuggerError('Invalid', `${this.text}: a condition is true or false, this is ${typeof value}`);
  }
}

const firstLine = (error: unknown): string => messageOf(error).split('\n')[0] ?? '';
