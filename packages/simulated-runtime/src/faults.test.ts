import { createRandom } from '@podscope/base';
import { describe, expect, it } from 'vitest';
import { Faults, type PlannedFault } from './faults.ts';

/** Returns for each of the next calls of CNI ADD whether it fails. */
const outcomes = (plan: readonly PlannedFault[], calls: number, seed = 1): readonly boolean[] => {
  const faults = new Faults(createRandom(seed), plan);
  return Array.from({ length: calls }, () => faults.take('CNI ADD') !== undefined);
};

describe('a plan of failures', () => {
  it('fails once, or as often as it says, and only its operation', () => {
    expect(outcomes([{ operation: 'CNI ADD', message: 'no' }], 3)).toEqual([true, false, false]);
    expect(outcomes([{ operation: 'CNI ADD', message: 'no', times: 2 }], 3)).toEqual([true, true, false]);
    expect(outcomes([{ operation: 'CNI DEL', message: 'no' }], 2)).toEqual([false, false]);
  });

  it('fails with the code it says, Unknown without one', () => {
    const faults = new Faults(createRandom(1), [
      { operation: 'CNI ADD', message: 'no' },
      { operation: 'CNI ADD', message: 'no', code: 'ResourceExhausted' },
    ]);
    expect(faults.take('CNI ADD')?.error).toMatchObject({ code: 'Unknown', message: 'no' });
    expect(faults.take('CNI ADD')?.error).toMatchObject({ code: 'ResourceExhausted', message: 'no' });
  });

  it('lets calls go well before', () => {
    expect(outcomes([{ operation: 'CNI ADD', message: 'no', skip: 2 }], 4)).toEqual([false, false, true, false]);
  });

  it('waits for the failure ordered before', () => {
    const faults = new Faults(createRandom(1), [
      { operation: 'CNI ADD', message: 'first' },
      { operation: 'CNI ADD', message: 'second' },
    ]);
    expect([
      faults.take('CNI ADD')?.error.message,
      faults.take('CNI ADD')?.error.message,
      faults.take('CNI ADD'),
    ]).toEqual(['first', 'second', undefined]);
  });

  it('meets a part of the calls, the same ones for the same seed', () => {
    const plan: readonly PlannedFault[] = [{ operation: 'CNI ADD', message: 'no', times: 1_000, probability: 0.3 }];
    const first = outcomes(plan, 200, 7);
    expect(outcomes(plan, 200, 7)).toEqual(first);
    expect(outcomes(plan, 200, 8)).not.toEqual(first);
    expect(first.filter(Boolean).length).toBeGreaterThan(30);
    expect(first.filter(Boolean).length).toBeLessThan(90);
  });
});
