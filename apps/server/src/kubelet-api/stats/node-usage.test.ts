import { instant } from '@podscope/trace';
import { expect, it } from 'vitest';
import { nodeUsage } from './node-usage.ts';
import type { ContainerUsage } from './stats-provider.ts';

const usage = (podUID: string, container: string, cpuNanoCores: number, workingSetBytes: number): ContainerUsage => ({
  id: `${podUID}-${container}`,
  podUID,
  pod: `pod-${podUID}`,
  namespace: 'default',
  container,
  cpuNanoCores,
  cpuNanoSeconds: 0,
  workingSetBytes,
  usageBytes: 0,
  rssBytes: 0,
  rootfsBytes: 0,
});

it('adds the usage of the containers of each pod', async () => {
  const read = async () => ({
    at: instant(0),
    windowMs: 1_000,
    node: { cpuNanoCores: 900, cpuNanoSeconds: 0, workingSetBytes: 8_000 },
    containers: [usage('a', 'app', 100, 10), usage('b', 'app', 1, 2), usage('a', 'side', 50, 5)],
  });
  expect(await nodeUsage({ read })).toEqual({
    cpuNanoCores: 900,
    workingSetBytes: 8_000,
    pods: [
      { namespace: 'default', name: 'pod-a', cpuNanoCores: 150, workingSetBytes: 15 },
      { namespace: 'default', name: 'pod-b', cpuNanoCores: 1, workingSetBytes: 2 },
    ],
  });
});
