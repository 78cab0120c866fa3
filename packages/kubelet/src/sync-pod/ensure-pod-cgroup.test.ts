import type { Container, Pod } from '@podscope/k8s';
import { afterEach, describe, expect, it } from 'vitest';
import { Bench, newPod } from '../testing/bench.ts';
import { MemoryCgroups } from '../testing/memory-cgroups.ts';

let bench: Bench;
const cgroups = () => new MemoryCgroups();
const path = '/kubepods/besteffort/poduid-web';

afterEach(() => bench.stop());

async function start(own: MemoryCgroups, profile: 'v1.36' | 'v1.20' = 'v1.36'): Promise<void> {
  bench = new Bench({ cgroups: own, profile });
  await bench.start();
}

const created = (): readonly unknown[] =>
  bench
    .ofType('decision')
    .filter(({ rule }) => rule === 'syncPod.createPodCgroup')
    .map(({ facts: { firstSync, killed }, outcome }) => [firstSync, killed, outcome]);

/** A running pod whose cgroup somebody took away, looked at again. */
async function withoutCgroup(own: MemoryCgroups, pod: Pod): Promise<void> {
  bench.api.apply(pod);
  await bench.until(3);
  own.groups.delete(path);
  await bench.until(70);
}

describe('the pod cgroup', () => {
  it('is made at the first sync, below its class, after the class got its weight', async () => {
    const own = cgroups();
    const order: string[] = [];
    const create = own.create.bind(own);
    own.create = async (at, config) => {
      order.push(at);
      await create(at, config);
    };
    await start(own);
    order.length = 0;
    const resources = { requests: { cpu: '500m', memory: '64Mi' } };
    bench.api.apply(newPod('web', { containers: [{ name: 'app', image: 'busybox', resources }] }));
    await bench.until(1);
    expect(order).toEqual(['/kubepods/besteffort', '/kubepods/burstable', '/kubepods/burstable/poduid-web']);
    expect(own.groups.get('/kubepods/burstable')).toEqual({ cpuShares: 512 });
    expect(created()).toEqual([[true, false, true]]);
    expect(bench.runtime.calls).toEqual(['0.0 sandbox web', '0.0 start app']);
  });

  it.each<[string, 'v1.36' | 'v1.20', Partial<Pod['spec']>, Partial<Container>, boolean]>([
    ['Always', 'v1.36', {}, {}, true],
    ['OnFailure', 'v1.36', { restartPolicy: 'OnFailure' }, {}, true],
    ['Never', 'v1.36', { restartPolicy: 'Never' }, {}, false],
    ['Never, but a container that restarts', 'v1.36', { restartPolicy: 'Never' }, { restartPolicy: 'OnFailure' }, true],
    ['Never, but a rule that restarts', 'v1.36', { restartPolicy: 'Never' }, rule('Restart'), true],
    ['Never, in v1.20', 'v1.20', { restartPolicy: 'Never' }, { restartPolicy: 'OnFailure' }, false],
  ])('that is gone ends the containers outside of it; it is made again under %s', async (_, profile, spec, container, again) => {
    const own = cgroups();
    await start(own, profile);
    await withoutCgroup(own, newPod('web', { containers: [{ name: 'app', image: 'busybox', ...container }], ...spec }));
    expect(bench.runtime.calls.filter((call) => call.includes('kill'))[0]).toMatch(/ kill web_default grace=30$/);
    expect(created()[1]).toEqual([false, true, again]);
  });

  it('that can’t be made fails the pass, with an event, and is tried again after 10 s', async () => {
    const own = cgroups();
    await start(own);
    const create = own.create.bind(own);
    own.create = (at, config) => (at === path ? Promise.reject(new Error('read-only file system')) : create(at, config));
    bench.api.apply(newPod('web'));
    await bench.until(5);
    expect(bench.events).toMatchObject([
      { at: 0, type: 'Warning', reason: 'FailedCreatePodContainer', message: 'unable to ensure pod container exists: read-only file system' },
    ]);
    expect(bench.runtime.calls).toEqual([]);
    own.create = create;
    await bench.until(12);
    // Ten seconds, and up to the next tick.
    expect(bench.runtime.calls).toEqual(['11.0 sandbox web', '11.0 start app']);
  });
});

function rule(action: 'Restart'): Partial<Container> {
  return { restartPolicy: 'Never', restartPolicyRules: [{ action, exitCodes: { operator: 'In', values: [1] } }] };
}
