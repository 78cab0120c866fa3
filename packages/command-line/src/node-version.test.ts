import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { minimumNode, unsupportedNode } from './node-version.ts';

const root = join(import.meta.dirname, '../../..');

it.each(['v18.20.0', 'v20.19.5', 'v22.12.0'])('rejects %s with the version to install', (version) => {
  expect(unsupportedNode(version)).toBe(`Node ${version} is not supported: install Node 22.13 or newer`);
});

it.each(['v22.13.0', 'v22.20.1', 'v24.0.0'])('accepts %s', (version) => {
  expect(unsupportedNode(version)).toBeUndefined();
});

it('is the version that every package and the README name', () => {
  const packages = globSync(['package.json', 'e2e/package.json', '{apps,packages}/*/package.json'], { cwd: root });
  expect(packages.length).toBeGreaterThan(10);
  for (const path of packages) {
    const { engines } = JSON.parse(readFileSync(join(root, path), 'utf8')) as { engines?: { node?: string } };
    expect({ path, node: engines?.node }).toEqual({ path, node: `>=${minimumNode}` });
  }
  expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain(`Node ${minimumNode} or newer`);
});
