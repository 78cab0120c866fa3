import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type SandboxCheckpoint, serializeCheckpoint } from '@podscope/cri/sandbox-checkpoint';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openCheckpointStore } from './store.ts';

const plain: SandboxCheckpoint = { name: 'web-0', namespace: 'prod', hostNetwork: false, portMappings: [] };
const withPorts: SandboxCheckpoint = {
  ...plain,
  portMappings: [
    { protocol: 'TCP', containerPort: 80, hostPort: 8080 },
    { protocol: 'UDP', containerPort: 53, hostPort: 5353, hostIp: '127.0.0.1' },
  ],
};

const open = async () => {
  const directory = await mkdtemp(join(tmpdir(), 'checkpoints-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return { directory, store: await openCheckpointStore(join(directory, 'sandbox')) };
};

describe('checkpoint store', () => {
  it('writes, reads, lists and removes', async () => {
    const { directory, store } = await open();
    await store.create('abc', withPorts);
    expect(await readFile(join(directory, 'sandbox', 'abc'), 'utf8')).toBe(serializeCheckpoint(withPorts));
    expect(await store.get('abc')).toEqual(withPorts);
    expect(await store.list()).toEqual(['abc']);
    await store.remove('abc');
    await store.remove('abc');
    expect(await store.get('abc')).toBeUndefined();
    expect(await readdir(join(directory, 'sandbox'))).toEqual([]);
  });

  it('reports a damaged file, ignores temporary ones and rejects names with a path', async () => {
    const { directory, store } = await open();
    await writeFile(join(directory, 'sandbox', 'bad'), '{');
    await writeFile(join(directory, 'sandbox', '.half'), '');
    await expect(store.get('bad')).rejects.toThrow('checkpoint is corrupted');
    expect(await store.list()).toEqual(['bad']);
    await expect(store.create('../x', plain)).rejects.toThrow('invalid key: "../x"');
  });

  it('removes partial files of failed writes and of earlier processes', async () => {
    const { directory, store } = await open();
    const sandbox = join(directory, 'sandbox');
    await mkdir(join(sandbox, 'abc'));
    await expect(store.create('abc', plain)).rejects.toThrow('abc');
    expect(await readdir(sandbox)).toEqual(['abc']);
    await writeFile(join(sandbox, '.half'), '');
    await openCheckpointStore(sandbox);
    expect(await readdir(sandbox)).toEqual(['abc']);
  });
});
