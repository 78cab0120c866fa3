import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from './example-edits.ts';
import { executions } from './executions.ts';
import { shownLines } from './shown-lines.ts';

const shown = shownLines();

it('states for every shown line which test executes it, or why none does', () => {
  expect(shown.length).toBeGreaterThan(200);
  expect(shown.filter(({ line }) => !executions.some(([pattern]) => pattern.test(line)))).toEqual([]);
});

it('has no entry without a line that it is the first to match', () => {
  const used = new Set(shown.map(({ line }) => executions.findIndex(([pattern]) => pattern.test(line))));
  expect(executions.flatMap(([pattern], index) => (used.has(index) ? [] : [pattern.source]))).toEqual([]);
});

it('names tests that exist', () => {
  const named = executions.flatMap(([, execution]) => ('test' in execution ? [execution.test] : []));
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

it('executes most lines in a shell or in another test', () => {
  const lines = [...new Set(shown.map(({ line }) => line))];
  const reasons = lines.filter((line) => {
    const found = executions.find(([pattern]) => pattern.test(line));
    return found !== undefined && 'reason' in found[1];
  });
  expect(lines.length).toBeGreaterThan(180);
  expect(reasons.length).toBeLessThan(30);
});
