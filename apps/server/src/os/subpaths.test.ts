/** Tests subpaths with links that a container could have created in a volume, on the real file system. */
import { rm, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bindSubpath, makeSubpath, resolveSubpath } from './subpaths.ts';
import { makeVolumeFolder } from './testing/volume-folder.ts';

let folder: string;
let volume: string;

beforeEach(async () => {
  ({ folder, volume } = await makeVolumeFolder());
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe('a sub-path', () => {
  it('is created with the permissions of the volume', async () => {
    await makeSubpath(volume, join(volume, 'a/b'));
    expect((await stat(join(volume, 'a', 'b'))).mode & 0o777).toBe((await stat(volume)).mode & 0o777);
  });

  it('may lead through links that stay in the volume', async () => {
    await symlink('inside', join(volume, 'link'));
    expect(await resolveSubpath(volume, join(volume, 'link/file'))).toBe(join(volume, 'inside', 'file'));
    await makeSubpath(volume, join(volume, 'link/new'));
    expect((await stat(join(volume, 'inside', 'new'))).isDirectory()).toBe(true);
  });

  it.each([
    ['relative', '../outside'],
    ['absolute', '/etc'],
  ])('does not follow a link that leads out of the volume (%s)', async (_, target) => {
    await symlink(target, join(volume, 'escape'));
    await expect(resolveSubpath(volume, join(volume, 'escape'))).rejects.toThrow('not within volume path');
    await expect(bindSubpath(volume, join(volume, 'escape'), join(folder, 'target'))).rejects.toThrow(
      'not within volume path',
    );
    await expect(makeSubpath(volume, join(volume, 'escape/made'))).rejects.toThrow('not within volume path');
    await symlink(join(folder, 'outside', 'not-there'), join(volume, 'dangling'));
    await expect(makeSubpath(volume, join(volume, 'dangling'))).rejects.toThrow('no such file or directory');
  });
});
