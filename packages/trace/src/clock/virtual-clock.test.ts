import { describe, expect, it } from 'vitest';
import { sleep, VirtualClock } from '../index.ts';

describe('advanceWhile', () => {
  it('returns the result of work that waits twice, and time has moved by both waits', async () => {
    const clock = new VirtualClock();
    const start = clock.now();
    const work = async (): Promise<string> => {
      await sleep(clock, 1000);
      await sleep(clock, 500);
      return 'done';
    };
    expect(await clock.advanceWhile(work())).toBe('done');
    expect(clock.now() - start).toBe(1500);
  });

  it('rejects with the error of the work', async () => {
    const clock = new VirtualClock();
    const work = async (): Promise<void> => {
      await sleep(clock, 1000);
      throw new Error('boom');
    };
    await expect(clock.advanceWhile(work())).rejects.toThrow('boom');
  });

  it('rejects when the work waits and no timer is left', async () => {
    const clock = new VirtualClock();
    await expect(clock.advanceWhile(new Promise(() => undefined))).rejects.toThrow('no timer is left');
  });
});
