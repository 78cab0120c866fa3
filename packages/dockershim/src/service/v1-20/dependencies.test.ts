/** Tests the access to files of the node. */
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { nodeFiles } from './dependencies.ts';

it("removes links to logs, and the logs that a current dockershim wrote, but no directory's content", async () => {
  const directory = await mkdtemp(join(tmpdir(), 'dockershim-v1-20-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const at = (name: string): string => join(directory, name);
  await writeFile(at('1.log'), 'a line');
  await symlink('/no/such/file', at('link'));
  await mkdir(at('empty'));
  await mkdir(at('full/below'), { recursive: true });
  for (const name of ['1.log', 'link', 'empty']) await nodeFiles.remove(at(name));
  await expect(nodeFiles.remove(at('full'))).rejects.toMatchObject({ code: 'ENOTEMPTY' });
  await expect(nodeFiles.remove(at('1.log'))).rejects.toMatchObject({ code: 'ENOENT' });
  expect(await readdir(directory)).toEqual(['full']);
});
