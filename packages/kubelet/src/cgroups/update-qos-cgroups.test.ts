import { background, EventLog, Tracer, VirtualClock } from '@podscope/trace';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { PodContainerManager } from './pod-container-manager.ts';
import { qosCgroupLoop, updateQOSCgroups } from './update-qos-cgroups.ts';

type Manager = Pick<PodContainerManager, 'enabled' | 'updateQOSCgroups'>;

/** Updates the cgroups with this manager and returns the emitted events. */
async function update(manager: Manager) {
  const clock = new VirtualClock();
  const log = new EventLog(clock);
  await updateQOSCgroups(background(clock, new Tracer(log)), manager as PodContainerManager, []);
  return log.after(0);
}

describe('updateQOSCgroups', () => {
  it('reports a failed update in a decision and a warning, and does not fail its caller', async () => {
    const updateQOS = (): Promise<never> => Promise.reject(new Error('no space left on device'));
    expect(await update({ enabled: true, updateQOSCgroups: updateQOS })).toMatchObject([
      { type: 'decision', rule: 'cgroups.updateQOS', outcome: 'failed: no space left on device' },
      { type: 'output', level: 'warning', message: 'Failed to update QoS cgroups: no space left on device' },
    ]);
  });

  it('does nothing on a node without pod cgroups', async () => {
    expect(await update({ enabled: false, updateQOSCgroups: () => Promise.reject(new Error('unused')) })).toEqual([]);
  });
});

describe('qosCgroupLoop', () => {
  const unchanged = { weights: { besteffort: 2, burstable: 2 }, changed: false };

  async function run(managerOn: (clock: VirtualClock) => Manager) {
    const clock = new VirtualClock();
    const log = new EventLog(clock);
    const controller = new AbortController();
    const ctx = background(clock, new Tracer(log), 'kubelet', controller.signal);
    const running = qosCgroupLoop(ctx, managerOn(clock) as PodContainerManager, () => []);
    onTestFinished(async () => {
      controller.abort();
      await running;
    });
    await clock.settle();
    return { clock, log };
  }

  it('updates at the start and every minute, and reports only a changed weight', async () => {
    const times: number[] = [];
    const { clock, log } = await run((virtual) => ({
      enabled: true,
      updateQOSCgroups: async () => {
        times.push(virtual.now());
        const changed = times.length === 3;
        return changed ? { weights: { besteffort: 2, burstable: 512 }, changed } : unchanged;
      },
    }));
    const start = clock.now();
    await clock.advance(180_000);
    expect(times.map((time) => time - start)).toEqual([0, 60_000, 120_000, 180_000]);
    expect(log.after(0)).toMatchObject([
      { time: start + 120_000, type: 'decision', rule: 'cgroups.updateQOS', outcome: 'updated' },
    ]);
  });

  it('reports a failed update and continues', async () => {
    let updates = 0;
    const { clock, log } = await run(() => ({
      enabled: true,
      updateQOSCgroups: () => {
        updates += 1;
        return updates === 1 ? Promise.reject(new Error('no space left on device')) : Promise.resolve(unchanged);
      },
    }));
    await clock.advance(60_000);
    expect(updates).toBe(2);
    expect(log.after(0)).toMatchObject([
      { type: 'decision', rule: 'cgroups.updateQOS', outcome: 'failed: no space left on device' },
      { type: 'output', level: 'warning', message: 'Failed to reserve QoS requests: no space left on device' },
    ]);
  });

  it('does nothing on a node without pod cgroups', async () => {
    let updates = 0;
    const { clock } = await run(() => ({
      enabled: false,
      updateQOSCgroups: () => {
        updates += 1;
        return Promise.resolve(unchanged);
      },
    }));
    await clock.advance(180_000);
    expect(updates).toBe(0);
  });
});
