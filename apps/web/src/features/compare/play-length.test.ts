import { describe, expect, it } from 'vitest';
import { PlayLength } from './play-length.ts';

describe('PlayLength', () => {
  it('is at least two minutes, and twice the run when the run outlasts it', () => {
    const length = new PlayLength();
    expect(length.first(1_000)).toBe(120_000);
    expect(length.next(100_000, 120_000)).toBeUndefined();
    expect(length.next(130_000, 120_000)).toBe(260_000);
    expect(length.next(250_000, 260_000)).toBeUndefined();
  });

  it('waits after a request that failed until the run is longer than the requested length', () => {
    const length = new PlayLength();
    length.first(1_000);
    expect(length.next(130_000, 120_000)).toBe(260_000);
    expect(length.next(131_000, 120_000)).toBeUndefined();
    expect(length.next(261_000, 120_000)).toBe(522_000);
  });

  it('forgets a longer request when the other release is played from the beginning, as after a saved run', () => {
    const length = new PlayLength();
    length.first(1_000);
    length.next(130_000, 120_000);
    expect(length.first(140_000)).toBe(140_000);
    expect(length.next(150_000, 140_000)).toBe(300_000);
  });
});
