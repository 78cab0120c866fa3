/**
 * Tests subpaths that are bound to other paths. The tests run only on machines where the test process is allowed to
 * mount, such as those with a container engine.
 */
import { readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { unmountAll } from './mounts.ts';
import { bindSubpath } from './subpaths.ts';
import { makeVolumeFolder } from './testing/volume-folder.ts';

let folder: string;
let volume: string;

beforeEach(async () => {
  ({ folder, volume } = await makeVolumeFolder());
});
afterEach(async () => {
  await unmountAll(folder);
  await rm(folder, { recursive: true, force: true });
});

describe('a sub-path', () => {
  it('is bound to its own path, which keeps its target when the volume changes', async () => {
    const target = join(folder, 'pod', 'volume-subpaths', 'v', 'app', '0');
    expect(await bindSubpath(volume, join(volume, 'inside'), target)).toBe(target);
    await rm(join(volume, 'inside'), { recursive: true });
    await symlink('../outside', join(volume, 'inside'));
    await writeFile(join(target, '..', '1'), '');
    await expect(readFile(join(target, 'secret'), 'utf8')).rejects.toThrow('ENOENT');
    await expect(bindSubpath(volume, join(volume, 'inside'), target)).rejects.toThrow('not within volume path');
  });

  it('binds a file as a file, and binds it again when another file has replaced it', async () => {
    const target = join(folder, 'target');
    await bindSubpath(volume, join(volume, 'inside/file'), target);
    await bindSubpath(volume, join(volume, 'inside/file'), target);
    expect(await readFile(target, 'utf8')).toBe('mine');
    await rm(join(volume, 'inside', 'file'));
    await writeFile(join(volume, 'inside', 'file'), 'other');
    await bindSubpath(volume, join(volume, 'inside/file'), target);
    expect(await readFile(target, 'utf8')).toBe('other');
  });
});
