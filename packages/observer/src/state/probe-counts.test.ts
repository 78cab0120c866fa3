import { describe, expect, it } from 'vitest';
import { type ProbeCount, ProbeCounts } from './probe-counts.ts';

const probe = { uid: 'u1', container: 'app', probe: 'liveness' } as const;

/** Returns the counts after answers at these times. An answer without numbers lacks the metric. */
function counted(...answers: readonly (readonly [at: number, successful?: number, failed?: number])[]): ProbeCounts {
  const counts = new ProbeCounts();
  for (const [at, successful, failed = 0] of answers)
    counts.apply(at, successful === undefined ? [] : ([{ ...probe, successful, failed }] satisfies ProbeCount[]));
  return counts;
}

describe('ProbeCounts', () => {
  it('returns the failures in the first answer after the time', () => {
    const counts = counted([0], [1_000, 0, 1], [2_000, 0, 2], [3_000, 0, 3]);
    expect(counts.failures(probe, 500, 900)).toBe(1);
    expect(counts.failures(probe, 500, 1_900)).toBe(2);
  });

  it('returns undefined before the next answer, and for an unknown probe', () => {
    const counts = counted([0], [1_000, 0, 1]);
    expect(counts.failures(probe, 0, 1_001)).toBeUndefined();
    expect(counts.failures({ ...probe, container: 'other' }, 0, 500)).toBeUndefined();
  });

  it('does not count failures before a success', () => {
    const counts = counted([0], [1_000, 0, 2], [2_000, 1, 2], [3_000, 1, 3]);
    expect(counts.failures(probe, 0, 3_000)).toBe(1);
  });

  it('does not count failures of the container before', () => {
    const counts = counted([0], [1_000, 0, 2], [5_000, 0, 2], [6_000, 0, 3]);
    expect(counts.failures(probe, 5_500, 6_000)).toBe(1);
  });

  it('does not count failures from before the observation', () => {
    const counts = counted([1_000, 0, 7], [2_000, 0, 8]);
    expect(counts.failures(probe, 0, 2_000)).toBe(1);
  });

  it('counts from 0 again after a restart of the kubelet, and forgets a deleted pod', () => {
    const counts = counted([0], [1_000, 5, 2], [2_000, 0, 1], [3_000, 0, 2]);
    expect(counts.failures(probe, 0, 3_000)).toBe(1);
    counts.forget(probe.uid);
    expect(counts.failures(probe, 0, 3_000)).toBeUndefined();
  });
});
