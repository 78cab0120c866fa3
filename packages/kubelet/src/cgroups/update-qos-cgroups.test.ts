import { background, EventLog, Tracer, VirtualClock } from '@podscope/trace';
import { describe, expect, it } from 'vitest';
import type { PodContainerManager } from './pod-container-manager.ts';
import { updateQOSCgroups } from './update-qos-cgroups.ts';

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
