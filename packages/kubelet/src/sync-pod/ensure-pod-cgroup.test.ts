import type { Container, Pod } from '@podscope/k8s';
import { afterEach, describe, expect, it } from 'vitest';
import { KubeletHarness, newPod } from '../testing/kubelet-harness.ts';
import { MemoryCgroups } from '../testing/memory-cgroups.ts';

let harness: KubeletHarness;
const cgroups = () => new MemoryCgroups();
const path = '/kubepods/besteffort/poduid-web';

afterEach(() => harness.stop());

async function start(own: MemoryCgroups, profile: 'v1.36' | 'v1.20' = 'v1.36'): Promise<void> {
  harness = new KubeletHarness({ cgroups: own, profile });
  await harness.start();
}

const created = (): readonly unknown[] =>
  harness
    .ofType('decision')
    .filter(({ rule }) => rule === 'syncPod.createPodCgroup')
    .map(({ facts: { firstSync, killed }, outcome }) => [firstSync, killed, outcome]);

/** Starts a pod, removes its cgroup and waits for the next sync of the pod. */
async function withoutCgroup(own: MemoryCgroups, pod: Pod): Promise<void> {
  harness.api.apply(pod);
  await harness.until(3);
  own.groups.delete(path);
  await harness.until(70);
}

describe('the pod cgroup', () => {
  it('is created at the first sync, below the cgroup of its QoS class, after that cgroup has its weight', async () => {
    const own = cgroups();
    const order: string[] = [];
    const create = own.create.bind(own);
    const update = own.update.bind(own);
    own.create = async (at, config) => {
      order.push(`create ${at}`);
      await create(at, config);
    };
    own.update = async (at, config) => {
      order.push(`update ${at}`);
      await update(at, config);
    };
    await start(own);
    expect(order.splice(0)).toEqual(['create /kubepods', 'create /kubepods/besteffort', 'create /kubepods/burstable']);
    const resources = { requests: { cpu: '500m', memory: '64Mi' } };
    harness.api.apply(newPod('web', { containers: [{ name: 'app', image: 'busybox', resources }] }));
    await harness.until(1);
    expect(order).toEqual([
      'update /kubepods/besteffort',
      'update /kubepods/burstable',
      'create /kubepods/burstable/poduid-web',
    ]);
    expect(own.groups.get('/kubepods/burstable')).toEqual({ cpuShares: 512 });
    expect(created()).toEqual([[true, false, true]]);
    expect(harness.runtime.calls).toEqual(['0.0 sandbox web', '0.0 start app']);
  });

  it.each<[string, 'v1.36' | 'v1.20', Partial<Pod['spec']>, Partial<Container>, boolean]>([
    ['Always', 'v1.36', {}, {}, true],
    ['OnFailure', 'v1.36', { restartPolicy: 'OnFailure' }, {}, true],
    ['Never', 'v1.36', { restartPolicy: 'Never' }, {}, false],
    ['Never, but a container that restarts', 'v1.36', { restartPolicy: 'Never' }, { restartPolicy: 'OnFailure' }, true],
    ['Never, but a rule that restarts', 'v1.36', { restartPolicy: 'Never' }, rule('Restart'), true],
    ['Never, in v1.20', 'v1.20', { restartPolicy: 'Never' }, { restartPolicy: 'OnFailure' }, false],
  ])(
    'causes a kill of the pod when it is missing, and is created again only if containers may restart: %s',
    async (_, profile, spec, container, again) => {
      const own = cgroups();
      await start(own, profile);
      await withoutCgroup(
        own,
        newPod('web', { containers: [{ name: 'app', image: 'busybox', ...container }], ...spec }),
      );
      expect(harness.runtime.calls.filter((call) => call.includes('kill'))[0]).toMatch(/ kill web_default grace=30$/);
      expect(created()[1]).toEqual([false, true, again]);
    },
  );

  it('ends the sync without an error when the kill of a pod without its cgroup is cancelled', async () => {
    const own = cgroups();
    await start(own);
    const { runtime } = harness;
    const killPod = runtime.killPod.bind(runtime);
    const kill = new Promise<void>((resolve) => {
      runtime.killPod = (ctx) =>
        new Promise((_, reject) => {
          ctx.signal.addEventListener('abort', () => reject(new Error('context canceled')));
          resolve();
        });
    });
    await withoutCgroup(own, newPod('web'));
    await kill;
    runtime.killPod = killPod;
    harness.api.delete('web', 1);
    await harness.until(80);
    expect(created()).toEqual([[true, false, true]]);
    expect(own.groups.has(path)).toBe(false);
    expect(harness.ofType('output').filter(({ message }) => message.startsWith('KillPod failed'))).toEqual([]);
  });

  it('fails the sync with an event when it cannot be created, and is retried after 10 s', async () => {
    const own = cgroups();
    await start(own);
    const create = own.create.bind(own);
    own.create = (at, config) =>
      at === path ? Promise.reject(new Error('read-only file system')) : create(at, config);
    harness.api.apply(newPod('web'));
    await harness.until(5);
    expect(harness.events).toMatchObject([
      {
        at: 0,
        type: 'Warning',
        reason: 'FailedCreatePodContainer',
        message: 'unable to ensure pod container exists: read-only file system',
      },
    ]);
    expect(harness.runtime.calls).toEqual([]);
    own.create = create;
    await harness.until(12);
    // The next sync follows ten seconds after the failure, at the next tick.
    expect(harness.runtime.calls).toEqual(['11.0 sandbox web', '11.0 start app']);
  });
});

function rule(action: 'Restart'): Partial<Container> {
  return { restartPolicy: 'Never', restartPolicyRules: [{ action, exitCodes: { operator: 'In', values: [1] } }] };
}
