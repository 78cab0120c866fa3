import { type PodTrack, RunFold } from '@podscope/trace';
import { EventScript } from '@podscope/trace/testing';
import { describe, expect, it } from 'vitest';
import { eventsOfPods } from './events-of-pods.ts';

/** Returns events of the pods `a` and `b`, which alternate. */
function script(count: number) {
  const log = new EventScript('a');
  for (let at = 0; at < count; at++)
    log.emit({ type: 'kubernetesEvent', eventType: 'Normal', reason: `R${at}`, message: '', count: 1 });
  return log.events.map((event, at) => ({ ...event, pod: at % 2 === 0 ? 'a' : 'b' }));
}

describe('eventsOfPods', () => {
  it('adds new events to the same list and keeps the rows of known ones', () => {
    const fold = new RunFold();
    const events = script(6);
    const merged = eventsOfPods();
    fold.applyAll(events.slice(0, 4));
    const first = merged.of(fold.pods());
    const rows = [...first];
    fold.applyAll(events);
    const second = merged.of(fold.pods());
    expect(second).toBe(first);
    expect(second.map(({ reason, pod }) => `${pod?.uid} ${reason}`)).toEqual([
      'a R0',
      'b R1',
      'a R2',
      'b R3',
      'a R4',
      'b R5',
    ]);
    for (const [at, row] of rows.entries()) expect(second[at]).toBe(row);
  });

  it('continues with pods whose records a snapshot replaced', () => {
    const fold = new RunFold();
    const events = script(6);
    const merged = eventsOfPods();
    fold.applyAll(events.slice(0, 4));
    const first = merged.of(fold.pods());
    fold.snapshot();
    fold.applyAll(events);
    expect(merged.of(fold.pods())).toBe(first);
    expect(first).toHaveLength(6);
  });

  it('returns another list if a pod is added late, is missing, or went back in time', () => {
    const events = script(6);
    const fold = new RunFold();
    fold.applyAll(events);
    const [a, b] = fold.pods();
    if (!a || !b) throw new Error('pods a and b expected');
    const merged = eventsOfPods();
    const seqs = (pods: readonly PodTrack[]): readonly number[] => merged.of(pods).map(({ seq }) => seq);
    expect(seqs([a])).toEqual([1, 3, 5]);
    expect(seqs([a, b])).toEqual([1, 2, 3, 4, 5, 6]);
    expect(seqs([b])).toEqual([2, 4, 6]);
    const past = new RunFold();
    past.applyAll(events.slice(0, 3));
    expect(seqs(past.pods())).toEqual([1, 2, 3]);
  });
});
