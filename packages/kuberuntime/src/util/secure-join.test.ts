/** Tests that links in a volume don't lead out of it. */
import { describe, expect, it } from 'vitest';
import { MemoryOS } from '../memory-os.ts';
import { secureJoin } from './secure-join.ts';

describe('secureJoin', () => {
  it('resolves links as if the directory were the root', async () => {
    const os = new MemoryOS();
    await os.mkdirAll('/vol/a/b', 0o755);
    await os.symlink('/etc/passwd', '/vol/absolute');
    await os.symlink('../../../etc', '/vol/a/up');
    await os.symlink('b', '/vol/a/c');
    await os.symlink('loop', '/vol/loop');
    await expect(secureJoin(os, '/vol', 'a//./b/file')).resolves.toBe('/vol/a/b/file');
    await expect(secureJoin(os, '/vol', '../../x')).resolves.toBe('/vol/x');
    await expect(secureJoin(os, '/vol', 'absolute')).resolves.toBe('/vol/etc/passwd');
    await expect(secureJoin(os, '/vol', 'a/up/passwd')).resolves.toBe('/vol/etc/passwd');
    await expect(secureJoin(os, '/vol', 'a/c/../file')).resolves.toBe('/vol/a/file');
    await expect(secureJoin(os, '/vol', 'loop')).rejects.toThrow('too many levels of symbolic links');
  });
});
