import { createRandom } from '@podscope/base';
import { describe, expect, it } from 'vitest';
import { Faults, type PlannedFault } from './faults.ts';

/** Returns for each of the next calls of CNI ADD whether it fails. */
const outcomes = (plan: readonly PlannedFault[], calls: number, seed = 1): readonly boolean[] => {
  const faults = new Faults(createRandom(seed), plan);
  return Array.from({ length: calls }, () => faults.take('CNI ADD') !== undefined);
};

describe('a fault plan', () => {
  it('fails its operation once by default, `times` times if set, and no other operation', () => {
    expect(outcomes([{ operation: 'CNI ADD', message: 'no' }], 3)).toEqual([true, false, false]);
    expect(outcomes([{ operation: 'CNI ADD', message: 'no', times: 2 }], 3)).toEqual([true, true, false]);
    expect(outcomes([{ operation: 'CNI DEL', message: 'no' }], 2)).toEqual([false, false]);
  });

  it('fails calls with its code, or with Unknown if it has no code', () => {
    const faults = new Faults(createRandom(1), [
      { operation: 'CNI ADD', message: 'no' },
      { operation: 'CNI ADD', message: 'no', code: 'ResourceExhausted' },
    ]);
    expect(faults.take('CNI ADD')?.error).toMatchObject({ code: 'Unknown', message: 'no' });
    expect(faults.take('CNI ADD')?.error).toMatchObject({ code: 'ResourceExhausted', message: 'no' });
  });

  it('lets the first `skip` calls succeed', () => {
    expect(outcomes([{ operation: 'CNI ADD', message: 'no', skip: 2 }], 4)).toEqual([false, false, true, false]);
  });

  it('injects two failures of the same operation one after the other', () => {
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

  it('fails a share of the calls when it has a probability, the same calls for the same seed', () => {
    const plan: readonly PlannedFault[] = [{ operation: 'CNI ADD', message: 'no', times: 1_000, probability: 0.3 }];
    const first = outcomes(plan, 200, 7);
    expect(outcomes(plan, 200, 7)).toEqual(first);
    expect(outcomes(plan, 200, 8)).not.toEqual(first);
    expect(first.filter(Boolean).length).toBeGreaterThan(30);
    expect(first.filter(Boolean).length).toBeLessThan(90);
  });
});
