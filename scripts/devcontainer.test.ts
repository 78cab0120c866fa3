/** Tests that the commands with which the development container installs and starts Podscope exist. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

interface DevContainer {
  readonly image: string;
  readonly forwardPorts: readonly number[];
  readonly updateContentCommand: string;
  readonly postAttachCommand: string;
}

it('installs, starts by a script of the repository, and forwards the port of the server', () => {
  const container = JSON.parse(read('.devcontainer/devcontainer.json').replaceAll(/^\s*\/\/.*$/gm, '')) as DevContainer;
  const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: Readonly<Record<string, string>> };
  const call = /^npx -y pnpm@12 (?<script>\S+)$/;
  expect(call.exec(container.updateContentCommand)?.groups?.['script']).toBe('install');
  expect(scripts).toHaveProperty([call.exec(container.postAttachCommand)?.groups?.['script'] ?? '']);
  expect(read('apps/server/src/cli/option-definitions.ts')).toContain(`'${container.forwardPorts[0]}'`);
  // The container must have the same Node version as the tests.
  expect(read('package.json')).toContain(`"node": "${/:(?<major>\d+)-/.exec(container.image)?.groups?.['major']}.`);
});
