import { expect, it } from 'vitest';
import { MemoryCgroups } from '../testing/memory-cgroups.ts';
import { PodContainerManager, type PodContainerManagerDependencies } from './pod-container-manager.ts';

it('creates the cgroups of the QoS classes once and updates them afterwards', async () => {
  const cgroups = new MemoryCgroups();
  const calls: string[] = [];
  const create = cgroups.create.bind(cgroups);
  const update = cgroups.update.bind(cgroups);
  cgroups.create = (path, config) => {
    calls.push(`create ${path}`);
    return create(path, config);
  };
  cgroups.update = (path, config) => {
    calls.push(`update ${path}`);
    return update(path, config);
  };
  const node = { cgroupsPerQOS: true, cgroupDriver: 'cgroupfs' } as PodContainerManagerDependencies['node'];
  const manager = new PodContainerManager({
    cgroups,
    node,
    podLevelResources: true,
    containerNames: () => new Map(),
  });
  for (let times = 0; times < 2; times += 1) await manager.updateQOSCgroups([]);
  expect(calls).toEqual([
    'create /kubepods/besteffort',
    'create /kubepods/burstable',
    'update /kubepods/besteffort',
    'update /kubepods/burstable',
  ]);
  expect(cgroups.groups.get('/kubepods/besteffort')).toEqual({ cpuShares: 2 });
});
