import { type Milliseconds, VirtualClock } from '@podscope/trace';
import { describe, expect, it } from 'vitest';
import { TimeDriver } from './time-driver.ts';

/** Creates a virtual clock that follows a second virtual clock. The second clock represents real time. */
function stage(options: { readonly speed?: number; readonly paused?: boolean } = {}) {
  const clock = new VirtualClock();
  const real = new VirtualClock();
  const driver = new TimeDriver({ clock, real, ...options });
  const origin = clock.now();
  /** Advances real time frame by frame. After each frame, waits for the work on the virtual clock. */
  const pass = async (ms: Milliseconds): Promise<void> => {
    for (let left = ms; left > 0; left -= 16) {
      await real.advance(16);
      for (let turns = 0; turns < 4; turns++) await clock.settle();
    }
  };
  return { clock, driver, pass, passed: (): Milliseconds => clock.now() - origin };
}

describe('TimeDriver', () => {
  it.each([0.1, 1, 10, 1000])('advances virtual time at %s times the speed of real time', async (speed) => {
    const { driver, pass, passed } = stage({ speed });
    driver.start();
    await pass(1_600);
    expect(passed()).toBeCloseTo(1_600 * speed, 3);
  });

  it('doesn’t advance while paused, and continues from the same time', async () => {
    const { driver, pass, passed } = stage();
    driver.start();
    await pass(160);
    driver.set({ paused: true });
    await pass(5_000);
    expect(passed()).toBe(160);
    driver.set({ paused: false, speed: 10 });
    await pass(160);
    expect(passed()).toBe(1_760);
  });

  it('step advances the paused time and fires the timers that are due', async () => {
    const { clock, driver, passed } = stage({ paused: true });
    const fired: number[] = [];
    for (const delay of [100, 200, 300]) clock.schedule(delay, () => fired.push(delay));
    await driver.step(250);
    expect(fired).toEqual([100, 200]);
    expect(passed()).toBe(250);
  });

  it('step ends when isEnough returns true', async () => {
    const { clock, driver, passed } = stage({ paused: true });
    const fired: number[] = [];
    for (const delay of [100, 200, 300]) clock.schedule(delay, () => fired.push(delay));
    await driver.step(1_000, () => fired.length === 2);
    expect(fired).toEqual([100, 200]);
    expect(passed()).toBe(200);
  });

  it('stepUntil returns true when the condition holds, and false after a virtual day', async () => {
    const { clock, driver, passed } = stage({ paused: true });
    let happened = false;
    clock.schedule(7_000, () => {
      happened = true;
    });
    expect(await driver.stepUntil(() => happened)).toBe(true);
    expect(passed()).toBe(7_000);
    expect(await driver.stepUntil(() => false)).toBe(false);
  });

  it('notifies listeners of each change of speed and pause', async () => {
    const { driver } = stage();
    const seen: string[] = [];
    driver.subscribe(({ speed, paused }) => seen.push(`${speed} ${paused}`));
    driver.set({ speed: 2 });
    driver.set({ paused: true });
    await driver.step(10);
    expect(seen).toEqual(['2 false', '2 true', '2 true']);
  });

  it('rejects a speed outside the range', () => {
    const { driver } = stage();
    for (const speed of [0, -1, 2000, Number.NaN])
      expect(() => driver.set({ speed })).toThrow(/the speed must be from 0.1 to 1000/);
  });

  it('doesn’t advance after stop', async () => {
    const { driver, pass, passed } = stage();
    driver.start();
    await driver.stop();
    await pass(1_000);
    expect(passed()).toBe(0);
  });
});
