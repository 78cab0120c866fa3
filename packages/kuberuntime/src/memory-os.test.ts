import { describe, expect, it } from 'vitest';
import { MemoryOS } from './memory-os.ts';

describe('MemoryOS', () => {
  it('creates directories with their parents and lists names', async () => {
    const os = new MemoryOS();
    await os.mkdirAll('/a/b/c', 0o750);
    await os.writeFile('/a/b/file', 'text', 0o644);
    expect(await os.readDir('/a/b')).toEqual(['c', 'file']);
    expect(await os.readDir('/nowhere')).toEqual([]);
    expect(os.mode('/a/b')).toBe(0o750);
    expect([await os.fileType('/a/b'), await os.fileType('/a/b/file'), await os.fileType('/x')]).toEqual([
      'directory',
      'file',
      undefined,
    ]);
  });

  it('fails like a file system for missing parents, wrong types and existing paths', async () => {
    const os = new MemoryOS();
    await os.mkdirAll('/a', 0o755);
    await os.writeFile('/a/file', '', 0o644);
    await expect(os.writeFile('/b/file', '', 0o644)).rejects.toThrow('open /b/file: no such file or directory');
    await expect(os.mkdirAll('/a/file/x', 0o755)).rejects.toThrow('mkdir /a/file: not a directory');
    await expect(os.remove('/a')).rejects.toThrow('remove /a: directory not empty');
    await expect(os.symlink('/x', '/a/file')).rejects.toThrow('symlink /x /a/file: file exists');
    await expect(os.rename('/x', '/y')).rejects.toThrow('rename /x /y: no such file or directory');
  });

  it('follows relative links and links within paths, but removes the link itself', async () => {
    const os = new MemoryOS();
    await os.mkdirAll('/data/v1', 0o755);
    await os.writeFile('/data/v1/key', 'value', 0o644);
    await os.symlink('v1', '/data/current');
    await os.symlink('../data/current/key', '/data/link');
    expect(os.text('/data/current/key')).toBe('value');
    expect(os.text('/data/link')).toBe('value');
    await os.remove('/data/link');
    expect(os.text('/data/v1/key')).toBe('value');
    await os.symlink('/loop', '/loop');
    await expect(os.readFile('/loop')).rejects.toThrow('too many levels of symbolic links');
  });

  it('replaces a link atomically by rename and moves whole trees', async () => {
    const os = new MemoryOS();
    await os.mkdirAll('/v/1/deep', 0o755);
    await os.writeFile('/v/1/deep/f', 'one', 0o644);
    await os.symlink('1', '/v/now');
    await os.symlink('2', '/v/next');
    await os.rename('/v/1', '/v/2');
    await os.rename('/v/next', '/v/now');
    expect(os.text('/v/now/deep/f')).toBe('one');
    await os.removeAll('/v');
    expect(os.paths()).toEqual(['/']);
  });

  it('returns the tail of a file and copies its content', async () => {
    const os = new MemoryOS();
    const bytes = new TextEncoder().encode('0123456789');
    await os.writeFile('/f', bytes, 0o644);
    bytes.fill(0);
    expect(new TextDecoder().decode(await os.readTail('/f', 4))).toBe('6789');
    expect(await os.readTail('/none', 4)).toBeUndefined();
  });
});
