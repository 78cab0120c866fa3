/** Tests the resources in a pod's status: before the pod runs, and while it runs in a cgroup. */
import type { PodPhase, PodSpec, ResourceRequirements } from '@podscope/k8s';
import { afterEach, describe, expect, it } from 'vitest';
import { KubeletHarness, newPod } from '../testing/kubelet-harness.ts';
import { MemoryCgroups } from '../testing/memory-cgroups.ts';

const app = (resources: ResourceRequirements): PodSpec['containers'] => [
  { name: 'app', image: 'busybox:1.36', command: ['sleep', '3600'], resources },
];

describe('the resources in a pod status', () => {
  let harness: KubeletHarness;

  afterEach(() => harness.stop());

  const start = async (spec: Partial<PodSpec>, phase?: PodPhase): Promise<MemoryCgroups> => {
    const cgroups = new MemoryCgroups();
    harness = new KubeletHarness({ cgroups });
    await harness.start();
    const pod = newPod('web', spec);
    harness.api.apply(phase ? { ...pod, status: { ...pod.status, phase } } : pod);
    await harness.until(10);
    return cgroups;
  };

  it('include the overhead of the pod', async () => {
    const requests = { cpu: '100m', memory: '64Mi' };
    await start({
      containers: app({ requests, limits: { memory: '64Mi' } }),
      overhead: { cpu: '50m', memory: '32Mi' },
    });
    const { resources, allocatedResources } = harness.status('web');
    expect(allocatedResources).toEqual({ cpu: '150m', memory: '96Mi' });
    expect(resources).toEqual({ requests: allocatedResources, limits: { memory: '96Mi' } });
  });

  it('are those of the cgroup while the pod runs', async () => {
    const cgroups = await start({ containers: app({ requests: { cpu: '100m', memory: '64Mi' } }) });
    expect(harness.status('web').resources).toEqual({ requests: { cpu: '100m', memory: '64Mi' } });
    const [path = ''] = (await cgroups.pods()).values();
    await cgroups.update(path, { cpuShares: 512, cpuQuota: 50_000, cpuPeriod: 100_000, memory: 2 ** 28 });
    const pod = harness.api.pods.get('web') ?? newPod('web');
    harness.api.apply({ ...pod, metadata: { ...pod.metadata, labels: { color: 'blue' } } });
    await harness.until(20);
    expect(harness.status('web')).toMatchObject({
      resources: { requests: { cpu: '500m', memory: '64Mi' }, limits: { cpu: '500m', memory: '256Mi' } },
      allocatedResources: { cpu: '100m', memory: '64Mi' },
    });
  });
});
