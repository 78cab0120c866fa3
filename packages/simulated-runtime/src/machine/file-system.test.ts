import { describe, expect, it } from 'vitest';
import { FileError, FileSystem, resolvePath } from './file-system.ts';
import { MemoryHostFiles } from './host-files.ts';

describe('resolvePath', () => {
  it.each([
    ['/', 'a', '/a'],
    ['/a/b', '../c', '/a/c'],
    ['/a', '/x/./y/', '/x/y'],
    ['/', '../..', '/'],
  ])('resolves %s and %s to %s', (cwd, path, expected) => {
    expect(resolvePath(cwd, path)).toBe(expected);
  });
});

describe('a container file system', () => {
  it('reads what was written, counts its bytes, and fails like Linux for invalid paths', async () => {
    const files = new FileSystem(new MemoryHostFiles(), []);
    await files.write('/tmp/a', 'one');
    await files.write('/tmp/a', 'two', true);
    expect(await files.read('/tmp/a')).toBe('onetwo');
    expect(files.usedBytes).toBe(6);
    await expect(files.read('/tmp/none')).rejects.toThrow(FileError);
    await expect(files.read('/tmp')).rejects.toThrow('Is a directory');
    await expect(files.write('/nowhere/a', '')).rejects.toThrow('nonexistent directory');
  });

  it('reads and writes mounted paths on the node, using the innermost mount', async () => {
    const host = new MemoryHostFiles();
    await host.writeFile('/pods/volume/a', 'outer');
    await host.writeFile('/pods/file', 'inner');
    const files = new FileSystem(host, [
      { containerPath: '/data', hostPath: '/pods/volume', readonly: false },
      { containerPath: '/data/deep', hostPath: '/pods/file', readonly: true },
    ]);
    expect(await files.read('/data/a')).toBe('outer');
    expect(await files.read('/data/deep')).toBe('inner');
    await expect(files.write('/data/deep', 'x')).rejects.toThrow('Read-only file system');
    await files.write('/data/b', 'new');
    expect(new TextDecoder().decode(await host.readFile('/pods/volume/b'))).toBe('new');
    expect(await files.list('/data')).toEqual(['a', 'b', 'deep']);
    expect(await files.list('/')).toContain('data');
    await files.remove('/data/a');
    expect(await host.exists('/pods/volume/a')).toBe(false);
  });

  it('lets only root write to the image, and every user to shared directories', async () => {
    const host = new MemoryHostFiles();
    const files = new FileSystem(host, [{ containerPath: '/data', hostPath: '/pods/volume', readonly: false }], {
      isRoot: false,
    });
    await host.mkdirAll('/pods/volume');
    await expect(files.write('/etc/app.pid', '1')).rejects.toThrow('Permission denied');
    await expect(files.makeDirectory('/var/app', true)).rejects.toThrow('Permission denied');
    await files.write('/tmp/a', '1');
    await files.write('/data/a', '1');
    expect(await files.read('/data/a')).toBe('1');
  });

  it('uses the mode of a mounted file on the node', async () => {
    const modes = new Map([['/pods/script', 0o644]]);
    const host = Object.assign(new MemoryHostFiles(), {
      mode: (path: string) => modes.get(path),
      chmod: async (path: string, mode: number) => void modes.set(path, mode),
    });
    await host.writeFile('/pods/script', 'echo');
    const files = new FileSystem(host, [{ containerPath: '/script', hostPath: '/pods/script', readonly: false }]);
    expect(files.isExecutable('/script')).toBe(false);
    await files.setMode('/script', (before) => before | 0o111);
    expect(files.isExecutable('/script')).toBe(true);
  });
});
