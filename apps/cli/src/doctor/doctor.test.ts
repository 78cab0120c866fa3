import type { EngineDescription } from '@podscope/dockershim';
import { describe, expect, it } from 'vitest';
import type { Machine } from './checks.ts';
import { examine } from './command.ts';

const engine: EngineDescription = {
  url: 'unix:///var/run/docker.sock',
  version: '28.2.2',
  apiVersion: '1.50',
  cgroupDriver: 'systemd',
  cgroupVersion: '2',
  isRootless: false,
};

const healthy: Machine = {
  nodeVersion: 'v24.21.0',
  platform: 'linux',
  isRoot: true,
  engine: async () => engine,
  listen: async () => undefined,
  writeTo: async () => undefined,
  hasProgram: async () => true,
  canCreateCgroups: async () => true,
};

const refused = (code: string): Promise<never> => Promise.reject(Object.assign(new Error(`connect ${code}`), { code }));

/** Returns the findings that aren't ok, by subject. */
async function complaints(machine: Partial<Machine>): Promise<Record<string, readonly [string, string | undefined]>> {
  const findings = await examine({ ...healthy, ...machine }, 4400, '/state');
  return Object.fromEntries(
    findings.filter(({ state }) => state !== 'ok').map(({ subject, state, remedy }) => [subject, [state, remedy]]),
  );
}

describe('doctor', () => {
  it('finds nothing to fix as root with a current Docker', async () => {
    expect(await complaints({})).toEqual({});
    const findings = await examine(healthy, 4400, '/state');
    expect(findings.map(({ subject, found }) => `${subject}: ${found}`)).toEqual([
      'Node: v24.21.0',
      'Docker: 28.2.2 (API 1.50) at unix:///var/run/docker.sock',
      'control groups: v2, driver systemd',
      'permissions: root',
      'port 4400: free',
      'state directory: /state',
      'kubectl: installed',
    ]);
  });

  it.each([
    ['ENOENT', /Install and start Docker/],
    ['ECONNREFUSED', /Start the Docker daemon/],
    ['EACCES', /group docker/],
    ['ETIMEDOUT', /Check DOCKER_HOST/],
  ])('names the remedy for a Docker socket that fails with %s', async (code, remedy) => {
    expect(await complaints({ engine: () => refused(code) })).toEqual({
      Docker: ['note', expect.stringMatching(remedy)],
    });
  });

  it('notes an engine older than 20.10', async () => {
    expect(await complaints({ engine: async () => ({ ...engine, apiVersion: '1.40' }) })).toEqual({
      Docker: ['note', expect.stringContaining('20.10')],
    });
  });

  it('notes rootless Docker and control groups that are not writable', async () => {
    expect(await complaints({ engine: async () => ({ ...engine, isRootless: true }) })).toHaveProperty([
      'control groups',
    ]);
    expect(await complaints({ canCreateCgroups: async () => false, isRoot: false })).toMatchObject({
      'control groups': ['note', expect.stringContaining('as root')],
      permissions: ['note', expect.stringContaining('need root')],
    });
  });

  it('reports an old Node, a port in use and an unwritable state directory as problems', async () => {
    expect(
      await complaints({
        nodeVersion: 'v20.1.0',
        listen: () => refused('EADDRINUSE'),
        writeTo: () => refused('EROFS'),
      }),
    ).toMatchObject({
      Node: ['problem', expect.stringContaining('install Node')],
      'port 4400': ['problem', expect.stringContaining('--port 0')],
      'state directory': ['problem', expect.stringContaining('--state-dir')],
    });
  });
});
