/** Tests which pods continue to run after the server ends, and that the next server adopts them. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pod } from '@podscope/k8s';
import { expect, it } from 'vitest';
import { docker, podContainers } from '../support/docker.ts';
import { containerStatus } from '../support/kube-api.ts';
import { type Podscope, startWithoutPage } from '../support/podscope.ts';

const running = {
  containers: [
    {
      name: 'app',
      image: 'busybox:1.36',
      command: ['sh', '-c', "trap 'exit 0' TERM; while :; do sleep 3600 & wait $!; done"],
    },
  ],
};

const waitForRunning = (podscope: Podscope, name: string): Promise<Pod | undefined> =>
  podscope.api.waitForPod(name, 'Running', (_, { phase }) => phase === 'Running');

it('keeps the containers of a killed server running under the next one', async () => {
  const stateDir = await mkdtemp(join(tmpdir(), 'podscope-adopt-'));
  const first = await startWithoutPage({ runtime: 'docker', stateDir });
  await first.api.createPod('adopted', running);
  await waitForRunning(first, 'adopted');
  const before = await podContainers(first, 'adopted');
  expect(before).toHaveLength(2);
  await first.kill();
  expect(await podContainers(first, 'adopted')).toEqual(before);

  const second = await startWithoutPage({ runtime: 'docker', stateDir });
  const pod = (await second.api.waitForPod(
    'adopted',
    'Running with its container',
    (version) => version !== undefined && containerStatus(version, 'app')?.state?.running !== undefined,
  )) as Pod;
  expect(await podContainers(second, 'adopted')).toEqual(before);
  expect(containerStatus(pod, 'app')?.restartCount).toBe(0);
  expect(await second.stop()).toBe(0);
  expect(await podContainers(second, 'adopted')).toEqual([]);
  await rm(stateDir, { recursive: true, force: true });
});

it('keeps pods running at its end with --keep-pods, and removes them without it', async () => {
  const stateDir = await mkdtemp(join(tmpdir(), 'podscope-keep-'));
  const first = await startWithoutPage({ runtime: 'docker', stateDir, args: ['--keep-pods'] });
  await first.api.createPod('kept', running);
  await waitForRunning(first, 'kept');
  const before = await podContainers(first, 'kept');
  expect(before).toHaveLength(2);
  expect(await first.stop()).toBe(0);
  expect(await podContainers(first, 'kept')).toEqual(before);

  const second = await startWithoutPage({ runtime: 'docker', stateDir });
  await waitForRunning(second, 'kept');
  expect(await second.stop()).toBe(0);
  expect(await podContainers(second, 'kept')).toEqual([]);
  await rm(stateDir, { recursive: true, force: true });
});

it('doesn’t change containers of another owner that look like its own', async () => {
  const uid = crypto.randomUUID();
  const labels = [
    'io.kubernetes.docker.type=podsandbox',
    'io.kubernetes.pod.name=stranger',
    'io.kubernetes.pod.namespace=default',
    `io.kubernetes.pod.uid=${uid}`,
    'io.kubernetes.container.name=POD',
  ];
  const id = await docker(
    'run',
    '-d',
    '--name',
    `k8s_POD_stranger_default_${uid}_0`,
    ...labels.flatMap((label) => ['--label', label]),
    'busybox:1.36',
    'sleep',
    '3600',
  );
  try {
    const podscope = await startWithoutPage({ runtime: 'docker' });
    await podscope.api.createPod('beside', running);
    await waitForRunning(podscope, 'beside');
    expect(await podscope.stop()).toBe(0);
    expect(await docker('inspect', '--format', '{{.State.Running}}', id)).toBe('true');
  } finally {
    await docker('rm', '-f', id);
  }
});
