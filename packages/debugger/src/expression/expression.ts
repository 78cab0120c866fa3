/**
 * Parses and evaluates the CEL expressions of conditions, watches and log messages, with limits on size, nesting and
 * work.
 */

import type { Environment, ParseResult } from '@marcbachmann/cel-js';
import { errorMessage } from '@podscope/base';
import { nearestName } from '@podscope/k8s';
import { maxExpressionLength } from '@podscope/protocol';
import { libraries } from '#libraries';
import { DebuggerError } from '../errors.ts';
import { knownVariables } from '../inspect/known-variables.ts';
import { Budget, celView } from './cel-view.ts';
import { compilePattern } from './pattern.ts';

/**
 * The variables that an expression may name. The function of a variable is called only if the expression uses the
 * variable.
 */
export type Scope = Readonly<Record<string, () => unknown>>;

/**
 * The budget of the evaluation that is running. A global variable is safe because evaluation is synchronous, and
 * necessary because functions of the environment have no other access to the budget.
 */
let running: Budget | undefined;

/**
 * The name of our function for `matches`. The library's own `matches` uses JavaScript's regular expressions and can't
 * be replaced, so calls of `matches` are renamed.
 */
const matchesFunction = 'matchesRe2';

let environment: Environment | undefined;

/** Returns CEL with our limits and with RE2 patterns. It is created for the first expression. */
function environmentOfCel(): Environment {
  environment ??= new (libraries().Environment)({
    unlistedVariablesAreDyn: true,
    homogeneousAggregateLiterals: false,
    enableOptionalTypes: true,
    limits: { maxAstNodes: 200, maxDepth: 24, maxListElements: 50, maxMapEntries: 50, maxCallArguments: 8 },
  }).registerFunction(`string.${matchesFunction}(string): bool`, (text: string, source: string) => {
    const pattern = compilePattern(source);
    running?.spendPattern(text.length, pattern.size);
    return pattern.test(text);
  });
  return environment;
}

/** Maximum depth of nested macros. A macro evaluates its argument for each element, so nesting multiplies the work. */
const maxNestedMacros = 2;
const macros: ReadonlySet<unknown> = new Set([
  'all',
  'exists',
  'exists_one',
  'map',
  'filter',
  'transformList',
  'transformMap',
]);

/** Maximum number of `+`. Each may double the length of a text. */
const maxAdditions = 10;

interface Node {
  readonly op: string;
  readonly args: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'op' in value && 'args' in value;

/**
 * Checks the limits of a parsed expression and redirects its `matches` calls to RE2.
 * @throws DebuggerError Invalid if the expression could block the node, or has a literal pattern that RE2 rejects
 */
function prepare(ast: unknown): void {
  let additions = 0;
  const visit = (value: unknown, nesting: number): void => {
    if (Array.isArray(value)) {
      for (const item of value) visit(item, nesting);
      return;
    }
    if (!isNode(value)) return;
    const { op, args } = value;
    let inside = nesting;
    if (op === '+' && ++additions > maxAdditions)
      throw new DebuggerError('Invalid', `an expression may have at most ${maxAdditions} additions`);
    if (op === 'rcall' && Array.isArray(args)) {
      if (macros.has(args[0]) && ++inside > maxNestedMacros)
        throw new DebuggerError('Invalid', `at most ${maxNestedMacros} macros may be nested`);
      if (args[0] === 'matches') {
        args[0] = matchesFunction;
        const pattern: unknown = Array.isArray(args[2]) ? args[2][0] : undefined;
        if (isNode(pattern) && pattern.op === 'value' && typeof pattern.args === 'string') compilePattern(pattern.args);
      }
    }
    visit(args, inside);
  };
  visit(ast, 0);
}

/** Namespaces of CEL's own functions and types, which are not variables of a stop. */
const celNames: ReadonlySet<string> = new Set([
  'bool',
  'bytes',
  'cel',
  'double',
  'dyn',
  'google',
  'int',
  'list',
  'map',
  'math',
  'null_type',
  'optional',
  'string',
  'strings',
  'timestamp',
  'type',
  'uint',
  'duration',
]);

/** Returns the variables that an expression names, except those that its macros define. */
function freeVariables(ast: unknown): ReadonlySet<string> {
  const free = new Set<string>();
  const visit = (value: unknown, bound: ReadonlySet<string>): void => {
    if (Array.isArray(value)) {
      for (const item of value) visit(item, bound);
      return;
    }
    if (!isNode(value)) return;
    const { op, args } = value;
    if (op === 'id' && typeof args === 'string') {
      if (!bound.has(args) && !celNames.has(args)) free.add(args);
      return;
    }
    if (op === 'rcall' && Array.isArray(args) && (macros.has(args[0]) || args[0] === 'bind')) {
      const [variable]: readonly unknown[] = Array.isArray(args[2]) ? args[2] : [];
      const name = isNode(variable) && variable.op === 'id' && typeof variable.args === 'string' ? variable.args : '';
      visit(args[1], bound);
      visit(args[2], new Set([...bound, name]));
      return;
    }
    visit(args, bound);
  };
  visit(ast, new Set());
  return free;
}

/**
 * Checks that each variable of an expression exists at some place in the flow.
 * @throws DebuggerError Invalid for a variable that exists nowhere; the message suggests the most similar name
 */
function checkVariables(text: string, ast: unknown): void {
  for (const name of freeVariables(ast)) {
    if (knownNames.has(name)) continue;
    const nearest = nearestName(name, knownVariables);
    const hint = nearest === undefined ? '' : `; did you mean ${nearest}?`;
    throw new DebuggerError('Invalid', `${text}: no variable is named ${name}${hint}`);
  }
}

const knownNames: ReadonlySet<string> = new Set(knownVariables);

/** A parsed expression. */
export class Expression {
  readonly text: string;
  readonly #parsed: ParseResult;

  /**
   * @throws DebuggerError Invalid with the position and the reason
   * @throws Error if the libraries for expressions aren't loaded
   */
  constructor(text: string) {
    this.text = text;
    if (text.length > maxExpressionLength)
      throw new DebuggerError('Invalid', `an expression may have ${maxExpressionLength} characters`);
    const cel = environmentOfCel();
    try {
      this.#parsed = cel.parse(text);
    } catch (error) {
      throw new DebuggerError('Invalid', `${JSON.stringify(text)} is not CEL: ${firstLine(error)}`, { cause: error });
    }
    prepare(this.#parsed.ast);
  }

  /**
   * Parses an expression and checks its variables. Use it for conditions: with a misspelled variable, a condition would
   * never be true and the user would see no error.
   * @throws DebuggerError Invalid with the position and the reason
   */
  static checked(text: string): Expression {
    const expression = new Expression(text);
    checkVariables(text, expression.#parsed.ast);
    return expression;
  }

  /**
   * Returns the value.
   * @throws DebuggerError Invalid if the expression can't be evaluated in this scope
   */
  evaluate(scope: Scope): unknown {
    const budget = new Budget();
    const variables: Record<string, unknown> = {};
    for (const [name, read] of Object.entries(scope))
      Object.defineProperty(variables, name, { enumerable: true, get: () => celView(read(), budget) });
    const outer = running;
    running = budget;
    try {
      return this.#parsed(variables);
    } catch (error) {
      throw new DebuggerError('Invalid', `${this.text}: ${firstLine(error)}`, { cause: error });
    } finally {
      running = outer;
    }
  }

  /**
   * Returns the value of a condition.
   * @throws DebuggerError Invalid if it can't be evaluated in this scope or its value isn't a boolean
   */
  test(scope: Scope): boolean {
    const value = this.evaluate(scope);
    if (typeof value === 'boolean') return value;
    throw new DebuggerError('Invalid', `${this.text}: a condition must be true or false, this is ${typeof value}`);
  }
}

const firstLine = (error: unknown): string => errorMessage(error).split('\n')[0] ?? '';
