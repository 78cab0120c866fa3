import { describe, expect, it } from 'vitest';
import { newPodActions } from '../compute-pod-actions/pod-actions.ts';
import { Backoff } from '../flowcontrol/backoff.ts';
import { profileV120 } from '../profiles/v1-20/profile.ts';
import type { PodSync } from '../runtime-dependencies.ts';
import { testPod, testPodStatus, testStage } from '../testing/test-stage.ts';
import { syncExposures } from './exposures.ts';
import { PodSyncResult } from './sync-result.ts';

const resources = { cpuRequest: 1, cpuLimit: 1, memoryRequest: 1, memoryLimit: 1 };

function sync(release: 'v1.36' | 'v1.20'): PodSync {
  const { dependencies, clock } = testStage();
  const init = [{ name: 'first' }, { name: 'second' }];
  const pod = testPod({ initContainers: init, containers: [{ name: 'app' }] });
  const update = {
    id: { type: 'docker', id: 'a' },
    container: { name: 'app' },
    desired: resources,
    current: resources,
  };
  return {
    dependencies: release === 'v1.20' ? { ...dependencies, profile: profileV120 } : dependencies,
    pod,
    podStatus: testPodStatus([]),
    pullSecrets: [],
    backOff: new Backoff(clock, { initial: 10_000, max: 300_000 }),
    restartAllContainers: false,
    result: new PodSyncResult(),
    actions: {
      ...newPodActions(true, 1, ''),
      nextInitContainerToStart: init[0],
      containersToUpdate: { cpu: [update], memory: [update] },
    },
    podIPs: [],
    sandboxID: '',
    isOver: false,
    sandboxConfig: undefined,
    imageVolumes: new Map(),
  };
}

function write(own: PodSync, name: string, value: unknown): void {
  const exposed = syncExposures(own)[name];
  if (typeof exposed !== 'object' || !exposed.write) throw new Error(`${name} can't be edited`);
  exposed.write(value);
}

describe('the values of a sync', () => {
  it('contain nextInitContainerToStart in v1.20 and initContainersToStart in v1.36', () => {
    const offered = (release: 'v1.36' | 'v1.20'): readonly string[] =>
      Object.keys(syncExposures(sync(release))).filter((name) => /nit.*ToStart/.test(name));
    expect(offered('v1.20')).toEqual(['podActions.nextInitContainerToStart']);
    expect(offered('v1.36')).toEqual(['podActions.initContainersToStart']);
  });

  it('change the next init container by name or to none, and reject an unknown name', () => {
    const own = sync('v1.20');
    write(own, 'podActions.nextInitContainerToStart', 'second');
    expect(own.actions.nextInitContainerToStart?.name).toBe('second');
    write(own, 'podActions.nextInitContainerToStart', null);
    expect(own.actions.nextInitContainerToStart).toBeUndefined();
    expect(() => write(own, 'podActions.nextInitContainerToStart', 'third')).toThrow('[first, second]');
  });

  it.each(['v1.36', 'v1.20'] as const)('%s: change the attempt and the containers to update', (release) => {
    const own = sync(release);
    write(own, 'podActions.attempt', 7);
    write(own, 'podActions.containersToUpdate', { cpu: ['app'], memory: [] });
    expect(own.actions.attempt).toBe(7);
    expect(own.actions.containersToUpdate).toMatchObject({ cpu: [{ container: { name: 'app' } }], memory: [] });
    expect(() => write(own, 'podActions.attempt', -1)).toThrow(RangeError);
    expect(() => write(own, 'podActions.containersToUpdate', { cpu: ['web'], memory: [] })).toThrow('[app]');
  });
});
