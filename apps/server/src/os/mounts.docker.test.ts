/** Tests mounts. The tests run only on machines where the test process is allowed to mount. */
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { mountPointsBelow, mountsWork, mountTmpfs, unmountAll } from './mounts.ts';

it('removes the mount of a process that was killed while it tried to mount', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'podscope-mounts-'));
  onTestFinished(async () => {
    await unmountAll(directory);
    await rm(directory, { recursive: true });
  });
  await mkdir(join(directory, '.mount-check'));
  await mountTmpfs(join(directory, '.mount-check'), 4096);
  expect(await mountsWork(directory)).toBe(true);
  expect(await readdir(directory)).toEqual([]);
});

it('lists the mount points below a directory', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'podscope-mounts-'));
  onTestFinished(async () => {
    await unmountAll(directory);
    await rm(directory, { recursive: true });
  });
  const path = join(directory, 'volume');
  await mkdir(path);
  expect(await mountPointsBelow(directory)).toEqual([]);
  await mountTmpfs(path, 4096);
  expect(await mountPointsBelow(directory)).toEqual([path]);
  expect(await mountPointsBelow(`${path}-2`)).toEqual([]);
});
