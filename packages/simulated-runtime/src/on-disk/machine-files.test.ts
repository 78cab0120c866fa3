import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MachineFiles } from './machine-files.ts';

let folder: string;
let volume: string;
let files: MachineFiles;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'machine-files-'));
  volume = join(folder, 'pods', '0f6b1c2d-3e4f-4a5b-8c6d-7e8f9a0b1c2d', 'volumes', 'kubernetes.io~empty-dir', 'work');
  await mkdir(volume, { recursive: true });
  files = new MachineFiles();
});
afterEach(() => rm(folder, { recursive: true }));

const text = async (path: string): Promise<string | undefined> => {
  const content = await files.readFile(path);
  return content && new TextDecoder().decode(content);
};

describe('MachineFiles', () => {
  it('writes files of a pod to the disk', async () => {
    await files.mkdirAll(join(volume, 'a/b'), 0o755);
    await files.writeFile(join(volume, 'a/b/it'), 'made', 0o600);
    expect(await readFile(join(volume, 'a/b/it'), 'utf8')).toBe('made');
    expect(files.mode(join(volume, 'a/b/it'))).toSatisfy((mode: number) => (mode & 0o777) === 0o600);
    await files.chmod(join(volume, 'a/b/it'), 0o755);
    expect(files.mode(join(volume, 'a/b/it'))).toSatisfy((mode: number) => (mode & 0o777) === 0o755);
    expect(await files.readDir(volume)).toEqual(['a']);
    await files.removeAll(join(volume, 'a'));
    expect(await files.exists(join(volume, 'a'))).toBe(false);
    await expect(readFile(join(volume, 'a/b/it'))).rejects.toThrow('ENOENT');
  });

  it('reads other files from the disk and changes them in memory only', async () => {
    const [kept, gone, fresh] = ['kept', 'gone', 'fresh'].map((name) => join(folder, 'host', name));
    if (!kept || !gone || !fresh) throw new Error('three names');
    await mkdir(join(folder, 'host'));
    await writeFile(kept, 'on the disk');
    await writeFile(gone, 'on the disk');
    expect(await text(kept)).toBe('on the disk');
    await files.writeFile(kept, 'changed', 0o644);
    await files.writeFile(fresh, 'new', 0o644);
    await files.removeAll(gone);
    await files.chmod(kept, 0o777);
    expect([await text(kept), await text(gone), await text(fresh)]).toEqual(['changed', undefined, 'new']);
    expect(await files.readDir(join(folder, 'host'))).toEqual(['fresh', 'kept']);
    await files.removeAll(join(folder, 'host'));
    expect([await files.exists(kept), await files.readDir(join(folder, 'host'))]).toEqual([false, []]);
    await files.mkdirAll(join(folder, 'host'), 0o755);
    expect(await files.exists(join(folder, 'host'))).toBe(true);
    expect([await readFile(kept, 'utf8'), await readFile(gone, 'utf8')]).toEqual(['on the disk', 'on the disk']);
  });

  it('keeps files removed when their directory is created again', async () => {
    const directory = join(folder, 'host');
    await mkdir(directory);
    await writeFile(join(directory, 'old'), 'x');
    await files.removeAll(directory);
    await files.mkdirAll(directory, 0o755);
    expect([
      await files.isDirectory(directory),
      await files.readDir(directory),
      await text(join(directory, 'old')),
    ]).toEqual([true, [], undefined]);
    await files.appendFile(join(directory, 'old'), 'new', 0o644);
    expect([await files.readDir(directory), await text(join(directory, 'old'))]).toEqual([['old'], 'new']);
  });

  it('appends all lines of 20 parallel calls', async () => {
    const [own, other] = [join(volume, 'log'), join(folder, 'log')];
    await writeFile(other, 'disk\n');
    for (const path of [own, other])
      await Promise.all(Array.from({ length: 20 }, (_, index) => files.appendFile(path, `${index}\n`, 0o644)));
    expect((await readFile(own, 'utf8')).split('\n').length).toBe(21);
    expect((await text(other))?.split('\n').length).toBe(22);
    expect(await readFile(other, 'utf8')).toBe('disk\n');
  });

  it('writes to the disk only below the directory of a pod uid, also for paths with `..`', async () => {
    const backup = join(folder, 'pods', 'backup', 'volumes');
    await mkdir(backup, { recursive: true });
    await writeFile(join(backup, 'mine'), 'safe');
    await files.removeAll(join(backup, 'mine'));
    await files.writeFile(join(backup, 'more'), 'x', 0o644);
    expect(await readFile(join(backup, 'mine'), 'utf8')).toBe('safe');
    await expect(readFile(join(backup, 'more'))).rejects.toThrow('ENOENT');
    await expect(files.writeFile(`${volume}/../../../../../escaped`, 'x', 0o644)).rejects.toThrow(
      "outside of the pod's directory",
    );
  });

  it('rejects writes through links that lead out of the pod', async () => {
    const outside = join(folder, 'outside');
    await mkdir(outside);
    await writeFile(join(outside, 'file'), 'safe');
    await symlink(outside, join(volume, 'way-out'));
    await symlink(join(outside, 'file'), join(volume, 'file'));
    await expect(files.writeFile(join(volume, 'way-out/file'), 'x', 0o644)).rejects.toThrow(
      "leads out of the pod's directory",
    );
    await expect(files.removeAll(join(volume, 'way-out/file'))).rejects.toThrow("leads out of the pod's directory");
    await expect(files.mkdirAll(join(volume, 'way-out/more'), 0o755)).rejects.toThrow(
      "leads out of the pod's directory",
    );
    await expect(files.writeFile(join(volume, 'file'), 'x', 0o644)).rejects.toThrow('ELOOP');
    expect(await readFile(join(outside, 'file'), 'utf8')).toBe('safe');
  });

  it('returns undefined for a device, a directory and a missing file', async () => {
    expect(await text('/dev/zero')).toBeUndefined();
    expect(await text(folder)).toBeUndefined();
    expect(await text(join(folder, 'none'))).toBeUndefined();
  });
});
