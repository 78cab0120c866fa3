import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { instancesIn } from './containers.ts';
import { networkNames, unusedNamespaces } from './machine.ts';
import { openTestRun } from './test-run.ts';

it('names the files and the processes that a run leaves, and takes them away', {
  meta: { needs: ['linux'] },
}, async () => {
  const outside = process.env['TMPDIR'];
  const run = await openTestRun(0);
  expect(tmpdir()).toBe(run.directory);
  const state = join(run.directory, 'server-abc', 'state');
  await mkdir(state, { recursive: true });
  await writeFile(join(state, 'instance'), '0123456789abcdef\n');
  expect(await instancesIn(run.directory)).toEqual(['0123456789abcdef']);
  execFileSync('sh', ['-c', 'sleep 61.5 >/dev/null 2>&1 &']);
  expect(await run.close()).toEqual([expect.stringMatching(/^process \d+: sleep 61\.5$/), 'directory server-abc']);
  expect(existsSync(run.directory)).toBe(false);
  expect(process.env['TMPDIR']).toBe(outside);
});

it('says nothing of a run that leaves nothing', async () => {
  const run = await openTestRun(0);
  expect(await run.close()).toEqual([]);
});

it.each([
  ['pscab12cd', ['ab12cd']],
  ['memory/pstab12cd', ['ab12cd']],
  ['pscab12cd-5e2ffc-eth0', ['ab12cd']],
  ['docker0', []],
  ['psc', []],
])('knows the networks of tests by their names: %s', (name, expected) => expect(networkNames(name)).toEqual(expected));

it('takes a network namespace for left behind only when no process lives in it', {
  meta: { needs: ['root'] },
}, async () => {
  const directory = await mkdtemp(join(tmpdir(), 'netns-'));
  try {
    await symlink('/proc/self/ns/net', join(directory, 'cni-used'));
    await writeFile(join(directory, 'cni-left'), '');
    expect(await unusedNamespaces(['cni-used', 'cni-left', 'cni-gone'], directory)).toEqual(['cni-left']);
  } finally {
    await rm(directory, { recursive: true });
  }
});
