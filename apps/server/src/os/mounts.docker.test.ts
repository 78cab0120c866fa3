/** Tests mounts. The tests run only on machines where the test process is allowed to mount. */
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { mountsWork, mountTmpfs, unmountAll } from './mounts.ts';

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
