import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Capability, type Machine, programs, whyNotRunnable } from './capabilities.ts';
import { fileNeeds } from './file-needs.ts';

const all = new Set<string>(Object.values(programs).flat());
const debianAsRoot: Machine = {
  platform: 'linux',
  isRoot: true,
  canUnshare: true,
  cgroupVersion: 1,
  docker: { version: '20.10.24', isRootless: false, isLocal: true },
  programs: all,
};
const ubuntuRunner: Machine = {
  ...debianAsRoot,
  isRoot: false,
  canUnshare: false,
  cgroupVersion: 2,
  docker: { version: '28.0.4', isRootless: false, isLocal: true },
  programs: new Set(['containerd', 'ctr', 'dockerd', 'kubectl', 'openssl', 'script']),
};
const rootless: Machine = { ...ubuntuRunner, docker: { version: '28.0.4', isRootless: true, isLocal: true } };
const macWithDesktop: Machine = {
  ...ubuntuRunner,
  platform: 'darwin',
  cgroupVersion: undefined,
  docker: { version: '28.0.4', isRootless: false, isLocal: false },
};
const macWithoutDocker: Machine = { ...macWithDesktop, docker: undefined, programs: new Set() };

const everything: readonly Capability[] = [
  'linux',
  'root',
  'docker',
  'local-docker',
  'namespaces',
  'mounts',
  'containerd',
  'cni',
  'registry',
  'kubectl',
  'dockerd',
];
const reasons = (machine: Machine) =>
  Object.fromEntries(
    everything.flatMap((capability) => {
      const reason = whyNotRunnable(machine, [capability]);
      return reason === undefined ? [] : [[capability, reason]];
    }),
  );

it('runs every test as root on Debian with all programs', () => expect(reasons(debianAsRoot)).toEqual({}));

it('names root and the missing programs on an Ubuntu runner', () =>
  expect(reasons(ubuntuRunner)).toEqual({
    root: 'needs root',
    namespaces: 'needs root',
    mounts: 'needs root',
    cni: expect.stringContaining('not installed: /usr/lib/cni/bridge') as string,
    registry: 'not installed: /usr/bin/docker-registry',
  }));

it('names the rootless engine where a test needs the network or the cgroups of its containers', () =>
  expect(reasons(rootless)['local-docker']).toMatch(/^the Docker engine is rootless/));

it('runs tests on Docker Desktop that need no more than an engine', () => {
  expect(whyNotRunnable(macWithDesktop, ['docker'])).toBeUndefined();
  expect(reasons(macWithDesktop)).toMatchObject({
    linux: 'needs Linux, this is darwin',
    'local-docker': 'the Docker engine runs in another machine or a virtual one',
  });
});

it('names the missing engine on macOS without Docker', () =>
  expect(reasons(macWithoutDocker)).toMatchObject({
    docker: 'no Docker engine answers',
    'local-docker': 'no Docker engine answers',
    kubectl: 'not installed: kubectl',
  }));

it('says why the tests cannot use an engine that answers', () =>
  expect(reasons({ ...macWithoutDocker, whyNoDocker: 'the engine lacks the images' })).toMatchObject({
    docker: 'the engine lacks the images',
    'local-docker': 'the engine lacks the images',
  }));

it('names the first of several needs that is missing', () =>
  expect(whyNotRunnable(macWithoutDocker, ['docker', 'root'])).toBe('no Docker engine answers'));

it('names files that exist', () => {
  const files = globSync('{apps,packages,e2e}/**/*.docker.test.ts', {
    cwd: join(import.meta.dirname, '../..'),
    exclude: ['**/node_modules/**'],
  });
  for (const end of Object.keys(fileNeeds))
    expect({ end, files: files.filter((file) => file.endsWith(end)).length }).toEqual({ end, files: 1 });
});
