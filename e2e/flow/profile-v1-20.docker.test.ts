/** Tests the kubelet v1.20 with its dockershim on a real engine: the behavior that users of that release observed. */
import { expect, it } from 'vitest';
import { docker, podContainers } from '../support/docker.ts';
import { containerStatus } from '../support/kube-api.ts';
import { startWithoutPage } from '../support/podscope.ts';

it('runs and stops a pod with the messages and log links of v1.20', async () => {
  const name = `v1-20-${crypto.randomUUID().slice(0, 8)}`;
  const podscope = await startWithoutPage({ runtime: 'docker', args: ['--profile', 'v1.20', '--pod-cgroups', 'off'] });
  try {
    await podscope.api.createPod(name, {
      terminationGracePeriodSeconds: 2,
      initContainers: [{ name: 'first', image: 'busybox:1.36', command: ['true'] }],
      containers: [{ name: 'app', image: 'busybox:1.36', command: ['sh', '-c', 'echo hello; sleep 3600'] }],
    });
    await podscope.api.waitForPod(
      name,
      'Running and ready',
      (pod) => pod !== undefined && containerStatus(pod, 'app')?.ready === true,
    );
    const messages = (await podscope.api.events(name)).map(({ message }) => message);
    expect(messages).toEqual(
      expect.arrayContaining(['Created container first', 'Created container app', 'Started container app']),
    );
    await expect.poll(() => podscope.api.logs(name)).toBe('hello\n');
    const [app = ''] = await podContainers(podscope, name, { type: 'container' });
    // In dockershim, the log file that CRI names is a link to Docker's own log file.
    expect(
      await docker('inspect', '--format', '{{index .Config.Labels "io.kubernetes.container.logpath"}}', app),
    ).toMatch(/\/app\/0\.log$/);

    await podscope.api.deletePod({ name });
    await podscope.api.waitForPod(name, 'gone', (pod) => pod === undefined);
  } finally {
    expect(await podscope.stop()).toBe(0);
  }
  expect(await podContainers(podscope, name)).toEqual([]);
});
