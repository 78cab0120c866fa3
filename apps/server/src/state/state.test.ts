import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KubernetesObject } from '@podscope/k8s';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StartError } from '../start-error.ts';
import { FilePersistence, fileNameOf } from './file-persistence.ts';
import { openStateDirectory } from './state-directory.ts';

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'podscope-state-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

describe('openStateDirectory', () => {
  it('rejects a second server and names the process of the first', async () => {
    const first = await openStateDirectory(join(directory, 'state'));
    await expect(openStateDirectory(first.path)).rejects.toThrow(
      new StartError(
        `another server (process ${process.pid}) uses ${first.path}: stop it, or choose another --state-dir`,
      ),
    );
    first.release();
    const second = await openStateDirectory(first.path);
    second.release();
  });

  it('keeps its instance id across restarts', async () => {
    const first = await openStateDirectory(directory);
    first.release();
    const second = await openStateDirectory(directory);
    second.release();
    expect(second.instance).toMatch(/^[0-9a-f]{16}$/);
    expect(second.instance).toBe(first.instance);
  });

  it('is accessible only to its owner', async () => {
    const state = await openStateDirectory(join(directory, 'state'));
    state.release();
    expect((await stat(state.path)).mode & 0o777).toBe(0o700);
    expect((await stat(state.join('instance'))).mode & 0o777).toBe(0o600);
  });

  it('restricts a directory created by hand, unless it contains other files', async () => {
    const path = join(directory, 'state');
    await mkdir(path, { mode: 0o755 });
    (await openStateDirectory(path)).release();
    expect((await stat(path)).mode & 0o777).toBe(0o700);
    await chmod(path, 0o755);
    (await openStateDirectory(path)).release();
    expect((await stat(path)).mode & 0o777).toBe(0o700);
    const shared = join(directory, 'shared');
    await mkdir(shared, { mode: 0o755 });
    await writeFile(join(shared, 'index.html'), '');
    await expect(openStateDirectory(shared)).rejects.toThrow(/^other users can read .*choose another --state-dir/);
    expect((await stat(shared)).mode & 0o777).toBe(0o755);
    expect(await readdir(shared)).toEqual(['index.html']);
  });

  it('reports that it cannot create the directory', async () => {
    await writeFile(join(directory, 'file'), '');
    await expect(openStateDirectory(join(directory, 'file', 'state'))).rejects.toThrow(StartError);
  });
});

const object = (name: string): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default', uid: name },
});

const longName = (end: string): string => fileNameOf(`configmaps/default/${'a'.repeat(250)}${end}`);

describe('FilePersistence', () => {
  it('stores objects as private files and reads them back', async () => {
    const persistence = new FilePersistence(join(directory, 'api'), () => undefined);
    expect(await persistence.load()).toEqual([]);
    await persistence.put('configmaps/default/a', object('a'));
    await persistence.put('configmaps/default/b', object('b'));
    await persistence.delete('configmaps/default/b');
    await persistence.delete('configmaps/default/never');
    expect(await readdir(join(directory, 'api'))).toEqual(['configmaps_default_a.json']);
    expect((await stat(join(directory, 'api', 'configmaps_default_a.json'))).mode & 0o777).toBe(0o600);
    expect(await persistence.load()).toEqual([object('a')]);
  });

  it('sets invalid files aside and deletes temporary files', async () => {
    const warnings: string[] = [];
    const persistence = new FilePersistence(directory, (message) => warnings.push(message));
    await persistence.put('configmaps/default/a', object('a'));
    await writeFile(join(directory, 'configmaps_default_b.json'), '{"kind":');
    await writeFile(join(directory, 'configmaps_default_c.json.1234.tmp'), '{');
    expect(await persistence.load()).toEqual([object('a')]);
    expect(warnings).toEqual([expect.stringContaining('configmaps_default_b.json is not an object of the API')]);
    expect(await readdir(directory)).toEqual(['configmaps_default_a.json', 'configmaps_default_b.json.broken']);
    expect(await readFile(join(directory, 'configmaps_default_b.json.broken'), 'utf8')).toBe('{"kind":');
  });

  it('maps every key to a file name', () => {
    expect(longName('b').length).toBeLessThanOrEqual(255);
    expect(longName('b')).not.toBe(longName('c'));
    expect(fileNameOf('namespaces//default')).toBe('namespaces__default.json');
  });
});
