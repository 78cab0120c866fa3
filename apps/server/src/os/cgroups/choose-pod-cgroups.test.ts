import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { choosePodCgroups } from './choose-pod-cgroups.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'podscope-kubelet-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const elsewhere = { DOCKER_HOST: 'tcp://192.0.2.1:2375' };
const withPod = (): Promise<unknown> =>
  mkdir(join(root, 'pods', '6408c203-432b-4def-b8fe-4718fe68272c'), { recursive: true });

it('returns the reason why pods have no cgroups with auto, and throws it with on', async () => {
  expect(await choosePodCgroups({ podCgroups: 'auto' }, root, 'cgroupfs', elsewhere)).toEqual({
    notices: ['Pods have no cgroups of their own: the engine runs on another machine.'],
  });
  await expect(choosePodCgroups({ podCgroups: 'on' }, root, 'systemd', {})).rejects.toThrow(
    /^--pod-cgroups on: the systemd driver needs root, cgroup v2/,
  );
});

it('creates no pod cgroups while pods without cgroups exist', async () => {
  await choosePodCgroups({ podCgroups: 'off' }, root, 'cgroupfs', {});
  await withPod();
  expect(await choosePodCgroups({ podCgroups: 'auto' }, root, 'cgroupfs', {})).toEqual({
    notices: [expect.stringContaining('the existing pods would be restarted')],
  });
});

it('evaluates the machine again when no pod of an earlier process remains', async () => {
  await choosePodCgroups({ podCgroups: 'off' }, root, 'cgroupfs', {});
  const { notices } = await choosePodCgroups({ podCgroups: 'auto' }, root, 'cgroupfs', elsewhere);
  expect(notices).toEqual(['Pods have no cgroups of their own: the engine runs on another machine.']);
});
