/** Tests that a browser loads the libraries for expressions with the first expression. */
import { afterAll, expect, test, vi } from 'vitest';

vi.mock('#libraries', () => import('./libraries-on-demand.ts'));

// Test files of a worker share their modules, and another file may have loaded these without the replacement.
vi.resetModules();
afterAll(() => void vi.resetModules());

const { loadExpressions, needsExpressions } = await import('../expressions.ts');
const { Expression } = await import('./expression.ts');

test.each([
  ['{"command":"evaluate","expression":"pod.spec"}', true],
  ['{"command":"watch","expressions":["pod.spec"]}', true],
  ['{"command":"setBreakpoints","breakpoints":[{"point":"cri.*","logMessage":"{attempt}"}]}', true],
  ['{"command":"setVariable","name":"attempt","value":"2"}', true],
  ['{"command":"continue","thread":"uid"}', false],
])('%s needs the libraries before they are loaded: %s', (text, expected) => {
  expect(needsExpressions(text)).toBe(expected);
});

test('a condition before the libraries are loaded is an error with the remedy, and is true once they are', async () => {
  expect(() => new Expression('attempt > 0')).toThrow('are not loaded: reload the page');
  expect(needsExpressions('{"command":"setBreakpoints","breakpoints":[{"condition":"attempt > 0"}]}')).toBe(true);

  await loadExpressions();

  expect(new Expression('attempt > 0 && name.matches("^a")').test({ attempt: () => 1, name: () => 'app' })).toBe(true);
  expect(needsExpressions('{"condition":"attempt > 0"}')).toBe(false);
});
