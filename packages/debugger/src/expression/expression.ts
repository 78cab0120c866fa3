/** CEL expressions of clients: conditions, watches, the expressions in log messages. Bounded in size, nesting and work. */
import { Environment, type ParseResult } from '@marcbachmann/cel-js';
import { maxExpressionLength } from '@podscope/protocol';
import { DebuggerError, messageOf } from '../errors.ts';
import { Budget, celView } from './cel-view.ts';
import { patternDegree } from './pattern-cost.ts';

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

/** Each `+` of texts may double them, and macros do so again and again. */
const maxAdditions = 10;
/** Steps that all uses of a pattern in one evaluation may take. */
const patternSteps = 1e9;
/** Elements that nested macros may hand to a pattern. */
const macroRounds = 2_500;

interface Node {
  readonly op: string;
  readonly args: unknown;
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'op' in value && 'args' in value;

/** What an expression can cost, read off before it is evaluated. */
class Cost {
  #additions = 0;
  /** Characters a text may have that patterns look through. */
  #maxText = Number.POSITIVE_INFINITY;

  /** Characters a text may have that the expression looks at. */
  get maxText(): number {
    return Math.floor(this.#maxText / (this.#additions + 1) ** 2);
  }

  /** @throws DebuggerError Invalid for what could keep the node busy */
  add(value: unknown, nesting = 0): void {
    if (Array.isArray(value)) {
      for (const item of value) this.add(item, nesting);
      return;
    }
    if (!isNode(value)) return;
    const { op, args } = value;
    let inside = nesting;
    if (op === '+' && ++this.#additions > maxAdditions) throw new DebuggerError('Invalid', `at most ${maxAdditions} additions fit in an expression`);
    if (op === 'rcall' && Array.isArray(args)) {
      const [name, , given] = args as readonly unknown[];
      if (macros.has(name) && ++inside > maxNestedMacros) throw new DebuggerError('Invalid', `at most ${maxNestedMacros} macros may be nested`);
      if (name === 'matches') this.#pattern(Array.isArray(given) ? given[0] : undefined, inside);
    }
    if (op === 'call' && Array.isArray(args) && args[0] === 'matches') this.#pattern((args as readonly unknown[][])[1]?.[1], inside);
    this.add(args, inside);
  }

  #pattern(node: unknown, nesting: number): void {
    const text = isNode(node) && node.op === 'value' ? node.args : undefined;
    if (typeof text !== 'string') throw new DebuggerError('Invalid', 'matches() needs its pattern as a literal text');
    const steps = nesting > 0 ? patternSteps / macroRounds : patternSteps;
    this.#maxText = Math.min(this.#maxText, steps ** (1 / patternDegree(text)));
  }
}

/** A parsed expression. */
export class Expression {
  readonly text: string;
  readonly #parsed: ParseResult;
  readonly #cost = new Cost();

  /** @throws DebuggerError Invalid saying where and what */
  constructor(text: string) {
    this.text = text;
    if (text.length > maxExpressionLength) throw new DebuggerError('Invalid', `an expression may have ${maxExpressionLength} characters`);
    try {
      this.#parsed = environment.parse(text);
    } catch (error) {
      throw new DebuggerError('Invalid', `${JSON.stringify(text)} is not CEL: ${firstLine(error)}`, { cause: error });
    }
    this.#cost.add(this.#parsed.ast);
  }

  /** The value. @throws DebuggerError Invalid when it has none here */
  evaluate(scope: Scope): unknown {
    const budget = new Budget(this.#cost.maxText);
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
