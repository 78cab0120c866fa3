/** Tests an in-place resize, from the API to the limits of a container on a real engine. */
import { expect, it } from 'vitest';
import { docker, podContainers } from '../support/docker.ts';
import { containerStatus } from '../support/kube-api.ts';
import { startWithoutPage } from '../support/podscope.ts';

const limitsOf = async (id: string): Promise<string> =>
  docker('inspect', '--format', '{{.HostConfig.Memory}} {{.HostConfig.CpuQuota}}', id);

it('changes the limits of a running container without a restart', async () => {
  const name = `resize-${crypto.randomUUID().slice(0, 8)}`;
  const podscope = await startWithoutPage({ runtime: 'docker', args: ['--pod-cgroups', 'off'] });
  try {
    const resources = { limits: { cpu: '500m', memory: '64Mi' }, requests: { cpu: '100m', memory: '32Mi' } };
    await podscope.api.createPod(name, {
      terminationGracePeriodSeconds: 1,
      containers: [{ name: 'app', image: 'busybox:1.36', command: ['sleep', '3600'], resources }],
    });
    await podscope.api.waitForPod(
      name,
      'Running',
      (pod) => pod !== undefined && containerStatus(pod, 'app')?.ready === true,
    );
    const [app = ''] = await podContainers(podscope, name, { type: 'container' });
    expect(await limitsOf(app)).toBe(`${64 * 1024 ** 2} 50000`);

    const patch = { spec: { containers: [{ name: 'app', resources: { limits: { cpu: '750m', memory: '96Mi' } } }] } };
    await podscope.api.request('PATCH', `/api/v1/namespaces/default/pods/${name}/resize`, patch, {
      'content-type': 'application/strategic-merge-patch+json',
    });
    const resized = await podscope.api.waitForPod(
      name,
      'with its new limits',
      (pod) => pod !== undefined && containerStatus(pod, 'app')?.resources?.limits?.['memory'] === '96Mi',
    );
    expect(await limitsOf(app)).toBe(`${96 * 1024 ** 2} 75000`);
    expect(await podContainers(podscope, name, { type: 'container' })).toEqual([app]);
    expect(resized && containerStatus(resized, 'app')).toMatchObject({
      restartCount: 0,
      resources: { limits: { cpu: '750m', memory: '96Mi' } },
    });
  } finally {
    expect(await podscope.stop()).toBe(0);
  }
});
