/** Evaluates the expressions of `test` and `[`. */
import { type FileSystem, resolvePath } from '../machine/file-system.ts';

/** The directory and the files to which the expression refers. */
export interface TestScope {
  readonly cwd: string;
  readonly files: FileSystem;
}

/** The error for an invalid expression. */
export class TestError extends Error {
  override readonly name = 'TestError';
}

const unary = new Set(['-n', '-z', '-e', '-f', '-d', '-s', '-r', '-w', '-x', '-L', '-h', '-t', '-p', '-S', '-b', '-c']);
const binary = new Set(['=', '==', '!=', '-eq', '-ne', '-lt', '-le', '-gt', '-ge', '<', '>']);

function number(text: string): number {
  if (!/^\s*[+-]?\d+\s*$/.test(text)) throw new TestError(`${text}: bad number`);
  return Number(text);
}

async function testUnary(scope: TestScope, operator: string, operand: string): Promise<boolean> {
  if (operator === '-n') return operand !== '';
  if (operator === '-z') return operand === '';
  const path = resolvePath(scope.cwd, operand);
  switch (operator) {
    case '-e':
    case '-r':
    case '-w':
      return scope.files.exists(path);
    case '-f':
      return scope.files.isFile(path);
    case '-d':
      return scope.files.isDirectory(path);
    case '-s':
      return ((await scope.files.tryRead(path)) ?? '') !== '';
    case '-x':
      return (
        (await scope.files.isDirectory(path)) || ((await scope.files.isFile(path)) && scope.files.isExecutable(path))
      );
    default:
      // These operators test for links, sockets, devices or terminals, which a simulated container doesn't have.
      return false;
  }
}

function testBinary(left: string, operator: string, right: string): boolean {
  switch (operator) {
    case '=':
    case '==':
      return left === right;
    case '!=':
      return left !== right;
    case '<':
      return left < right;
    case '>':
      return left > right;
    case '-eq':
      return number(left) === number(right);
    case '-ne':
      return number(left) !== number(right);
    case '-lt':
      return number(left) < number(right);
    case '-le':
      return number(left) <= number(right);
    case '-gt':
      return number(left) > number(right);
    default:
      return number(left) >= number(right);
  }
}

/**
 * Evaluates the arguments of `test`.
 * @throws TestError with the message of a shell
 */
export async function evaluateTest(scope: TestScope, args: readonly string[]): Promise<boolean> {
  const rest = [...args];
  const either = async (): Promise<boolean> => {
    let result = await both();
    while (rest[0] === '-o') {
      rest.shift();
      const right = await both();
      result ||= right;
    }
    return result;
  };
  const both = async (): Promise<boolean> => {
    let result = await single();
    while (rest[0] === '-a') {
      rest.shift();
      const right = await single();
      result &&= right;
    }
    return result;
  };
  const single = async (): Promise<boolean> => {
    const [first, second, third] = rest;
    if (first === undefined) return false;
    if (second !== undefined && third !== undefined && binary.has(second)) {
      rest.splice(0, 3);
      return testBinary(first, second, third);
    }
    if (first === '!' && second !== undefined) {
      rest.shift();
      return !(await single());
    }
    if (first === '(') {
      rest.shift();
      const inner = await either();
      if (rest.shift() !== ')') throw new TestError('closing paren expected');
      return inner;
    }
    if (unary.has(first) && second !== undefined) {
      rest.splice(0, 2);
      return testUnary(scope, first, second);
    }
    rest.shift();
    return first !== '';
  };
  const result = await either();
  if (rest.length > 0) throw new TestError(`${rest[0]}: unknown operand`);
  return result;
}
