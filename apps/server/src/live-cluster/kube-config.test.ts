/** Tests the combination of several kubeconfigs according to kubectl's rules. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { defaultKubeConfig, loadKubeConfig } from './kube-config.ts';

let directory: string;
const file = (name: string): string => join(directory, name, 'config');

async function write(name: string, fields: Readonly<Record<string, unknown>>): Promise<void> {
  await mkdir(join(directory, name));
  await writeFile(file(name), JSON.stringify({ apiVersion: 'v1', kind: 'Config', ...fields }));
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'podscope-kubeconfig-'));
  await write('first', {
    contexts: [{ name: 'dev', context: { cluster: 'dev', user: 'me', namespace: 'shop' } }],
    clusters: [{ name: 'dev', cluster: { server: 'https://dev.example' } }],
  });
  await write('second', {
    'current-context': 'prod',
    contexts: [
      { name: 'prod', context: { cluster: 'prod', user: 'me' } },
      { name: 'dev', context: { cluster: 'prod', user: 'me', namespace: 'other' } },
    ],
    clusters: [{ name: 'prod', cluster: { server: 'https://prod.example', 'certificate-authority': 'ca.crt' } }],
    users: [{ name: 'me', user: { tokenFile: 'token' } }],
  });
  await writeFile(join(directory, 'second/token'), 'secret\n');
  await write('third', { 'current-context': 'dev', users: [{ name: 'me', user: { token: 'other' } }] });
});
afterAll(() => rm(directory, { recursive: true, force: true }));
afterEach(() => vi.unstubAllEnvs());

describe('loadKubeConfig', () => {
  it('merges the files of KUBECONFIG: the first that sets a name or the current context wins', () => {
    vi.stubEnv('KUBECONFIG', ['first', 'nowhere', 'second', 'third'].map(file).join(delimiter));
    const config = loadKubeConfig({ kubeconfig: defaultKubeConfig(undefined), context: undefined });
    expect(config.getCurrentContext()).toBe('prod');
    expect(config.getContexts().map(({ name, namespace }) => [name, namespace])).toEqual([
      ['dev', 'shop'],
      ['prod', undefined],
    ]);
    expect(config.getCurrentUser()?.token).toBe('secret');
    expect(config.getCurrentCluster()).toMatchObject({
      server: 'https://prod.example',
      caFile: join(directory, 'second/ca.crt'),
    });
  });

  it('reads only the file of --kubeconfig, and reports a missing one', () => {
    vi.stubEnv('KUBECONFIG', file('second'));
    const config = loadKubeConfig({ kubeconfig: defaultKubeConfig(file('first')), context: 'dev' });
    expect(config.getContexts()).toHaveLength(1);
    expect(() => loadKubeConfig({ kubeconfig: file('nowhere'), context: undefined })).toThrow(/--kubeconfig .*nowhere/);
    vi.stubEnv('KUBECONFIG', [file('nowhere'), file('never')].join(delimiter));
    expect(() => loadKubeConfig({ kubeconfig: defaultKubeConfig(undefined), context: undefined })).toThrow(/nowhere/);
  });
});
