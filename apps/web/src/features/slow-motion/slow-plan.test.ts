import { RunHistory } from '@podscope/trace';
import { crashLoop } from '@podscope/trace/testing';
import { describe, expect, it } from 'vitest';
import { leastHold, slowFactor, slowFrames } from './slow-plan.ts';

const { events } = crashLoop(1);
const [pod] = new RunHistory(events).newest.pods();
const sync = pod?.syncs.find(({ acted }) => acted);

describe('slowFrames', () => {
  it('has a frame for each step and call of the sync, in order, and one for its end', () => {
    if (!sync) throw new Error('the run has no sync');
    const frames = slowFrames(sync, events);
    expect(frames.length).toBeGreaterThan(3);
    expect(frames.map(({ seq }) => seq)).toEqual(frames.map(({ seq }) => seq).toSorted((a, b) => a - b));
    expect(frames.at(-1)).toMatchObject({ step: undefined, at: (sync.end ?? 0) - sync.start });
    expect(frames.slice(0, -1).every(({ step }) => step !== undefined)).toBe(true);
  });

  it('shows a second of the sync for a minute, and a step without a duration long enough to be read', () => {
    if (!sync) throw new Error('the run has no sync');
    const frames = slowFrames(sync, events);
    for (const [index, { hold, at }] of frames.slice(0, -1).entries())
      expect(hold).toBe(Math.max(leastHold, ((frames[index + 1]?.at ?? at) - at) * slowFactor));
  });

  it('has no frames for a sync whose events are gone', () => {
    if (!sync) throw new Error('the run has no sync');
    expect(slowFrames(sync, [])).toEqual([]);
  });
});
