/** Evaluates arithmetic in the shell, `$((…))`: integers, the operators of C, and variables. */
import { ShellSyntaxError } from '../parse/syntax.ts';

/** The variables that an expression reads and sets. */
export interface ArithmeticVariables {
  get(name: string): string | undefined;
  set(name: string, value: string): void;
}

const levels: readonly (readonly string[])[] = [
  ['||'],
  ['&&'],
  ['|'],
  ['^'],
  ['&'],
  ['==', '!='],
  ['<=', '>=', '<', '>'],
  ['<<', '>>'],
  ['+', '-'],
  ['*', '/', '%'],
];

function apply(operator: string, left: number, right: number): number {
  switch (operator) {
    case '||':
      return Number(left !== 0 || right !== 0);
    case '&&':
      return Number(left !== 0 && right !== 0);
    case '|':
      return left | right;
    case '^':
      return left ^ right;
    case '&':
      return left & right;
    case '==':
      return Number(left === right);
    case '!=':
      return Number(left !== right);
    case '<=':
      return Number(left <= right);
    case '>=':
      return Number(left >= right);
    case '<':
      return Number(left < right);
    case '>':
      return Number(left > right);
    case '<<':
      return left << right;
    case '>>':
      return left >> right;
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    default:
      if (right === 0) throw new ShellSyntaxError('arithmetic syntax error: divide by zero');
      return operator === '/' ? Math.trunc(left / right) : left % right;
  }
}

function fail(): never {
  throw new ShellSyntaxError('arithmetic syntax error');
}

/**
 * Returns the value of an expression. Its `$` must already be expanded.
 * @throws ShellSyntaxError when the expression is invalid
 */
export function evaluate(text: string, variables: ArithmeticVariables): number {
  let rest = text.trimStart();
  const take = (pattern: RegExp): string | undefined => {
    const match = pattern.exec(rest);
    if (!match) return undefined;
    rest = rest.slice(match[0].length).trimStart();
    return match[1] ?? match[0];
  };
  const value = (name: string): number => {
    const number = Number(variables.get(name) || 0);
    return Number.isNaN(number) ? fail() : Math.trunc(number);
  };
  const set = (name: string, number: number): number => {
    variables.set(name, String(number));
    return number;
  };

  const primary = (): number => {
    if (take(/^\(/)) {
      const inner = assignment();
      if (!take(/^\)/)) fail();
      return inner;
    }
    const sign = take(/^(\+\+|--|[!~+-])/);
    if (sign === '++' || sign === '--') {
      const name = take(/^[A-Za-z_]\w*/) ?? fail();
      return set(name, value(name) + (sign === '++' ? 1 : -1));
    }
    if (sign === '!') return Number(primary() === 0);
    if (sign === '~') return ~primary();
    if (sign) return sign === '-' ? -primary() : primary();
    const number = take(/^(?:0[xX][0-9a-fA-F]+|\d+)/);
    if (number !== undefined) return /^0\d/.test(number) ? Number.parseInt(number, 8) : Number(number);
    const name = take(/^[A-Za-z_]\w*/) ?? fail();
    const step = take(/^(\+\+|--)/);
    const before = value(name);
    if (step) set(name, before + (step === '++' ? 1 : -1));
    return before;
  };
  const binary = (level: number): number => {
    const operators = levels[level];
    if (!operators) return primary();
    let left = binary(level + 1);
    for (;;) {
      const operator = operators.find(
        (candidate) =>
          rest.startsWith(candidate) &&
          !(candidate.length === 1 && rest.charAt(1) === candidate && '|&<>'.includes(candidate)),
      );
      if (!operator) return left;
      rest = rest.slice(operator.length).trimStart();
      left = apply(operator, left, binary(level + 1));
    }
  };
  const conditional = (): number => {
    const condition = binary(0);
    if (!take(/^\?/)) return condition;
    const yes = assignment();
    if (!take(/^:/)) fail();
    const no = assignment();
    return condition === 0 ? no : yes;
  };
  const assignment = (): number => {
    const match = /^([A-Za-z_]\w*)\s*([-+*/%]?)=(?!=)\s*/.exec(rest);
    if (!match?.[1]) return conditional();
    rest = rest.slice(match[0].length);
    const right = assignment();
    return set(match[1], match[2] ? apply(match[2], value(match[1]), right) : right);
  };

  if (rest === '') return 0;
  const result = assignment();
  if (rest !== '') fail();
  return result;
}
