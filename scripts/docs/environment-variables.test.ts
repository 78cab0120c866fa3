import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from './example-edits.ts';
import { environmentVariables } from './reference/environment-variables.ts';

/** The sources of the programs that users run, without their tests. */
const sources = globSync(
  ['apps/{cli,server}/src/**/*.ts', 'packages/{command-line,dockershim,playwright}/src/**/*.ts'],
  { cwd: root },
).filter((path) => !/\.test\.ts$|\/testing\//.test(path));

it('documents every environment variable that the programs read by its name', () => {
  const read = sources.flatMap((path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(/\b(?:env|environment)(?:\.|\[')([A-Z][A-Z_]+)\b/g)].map(
      ([, name = '']) => name,
    ),
  );
  expect(read).toContain('DOCKER_HOST');
  expect([...new Set(read)].filter((name) => !Object.hasOwn(environmentVariables, name))).toEqual([]);
});
