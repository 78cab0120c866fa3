/** Tests that a browser loads the libraries for expressions with the first expression. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';

const commands = [
  ['{"command":"evaluate","expression":"pod.spec"}', true],
  ['{"command":"watch","expressions":["pod.spec"]}', true],
  ['{"command":"setBreakpoints","breakpoints":[{"point":"cri.*","logMessage":"{attempt}"}]}', true],
  ['{"command":"setVariable","name":"attempt","value":"2"}', true],
  ['{"command":"continue","thread":"uid"}', false],
  ['{"command":"setBreakpoints","breakpoints":[{"condition":"attempt > 0"}]}', true],
] as const;

/** A program that prints the results of the modules before and after the libraries are loaded. */
const program = `
  const { loadExpressions, needsExpressions } = await import('${import.meta.resolve('../expressions.ts')}');
  const { Expression } = await import('${import.meta.resolve('./expression.ts')}');
  const commands = ${JSON.stringify(commands)}.map(([text]) => text);
  const needsBefore = commands.map((text) => needsExpressions(text));
  let problem = '';
  try {
    new Expression('attempt > 0');
  } catch (error) {
    problem = error.message;
  }
  await loadExpressions();
  const expression = new Expression('attempt > 0 && name.matches("^a")');
  const outcome = expression.test({ attempt: () => 1, name: () => 'app' });
  const needsAfter = commands.map((text) => needsExpressions(text));
  console.log(JSON.stringify({ needsBefore, problem, outcome, needsAfter }));
`;

let seen: { readonly needsBefore: boolean[]; problem: string; outcome: boolean; readonly needsAfter: boolean[] };

// The condition `browser` selects the modules that a bundler selects for browsers. Node sets conditions only for a
// whole process, so the test starts one.
beforeAll(async () => {
  const args = ['--conditions=browser', '--input-type=module', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  seen = JSON.parse(stdout) as typeof seen;
});

test.each(commands)('%s needs the libraries before they are loaded: %s', (text, expected) => {
  expect(seen.needsBefore[commands.findIndex(([each]) => each === text)]).toBe(expected);
});

test('a condition before the libraries are loaded is an error with the remedy, and is true once they are', () => {
  expect(seen.problem).toContain('are not loaded: reload the page');
  expect(seen.outcome).toBe(true);
  expect(seen.needsAfter).toEqual(commands.map(() => false));
});
