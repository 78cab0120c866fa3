import { RunFold } from '@podscope/trace';
import { compareSteps } from '@podscope/trace/compare';
import { crashLoop } from '@podscope/trace/testing';
import { describe, expect, it } from 'vitest';
import { valueDifferences } from '../../../node/pods/value-differences.ts';
import { syncSteps } from './sync-steps.ts';

describe('two compared syncs', () => {
  const fold = new RunFold();
  fold.applyAll(crashLoop(3).events);
  const [pod] = fold.pods();
  const stepsOf = (at: number) => {
    const sync = pod?.syncs.at(at);
    return sync && pod
      ? syncSteps(sync, (id) => (id === undefined ? undefined : fold.span(id)), pod, {
          decision: 'decides',
          result: 'result',
        })
      : [];
  };

  it('match by action and target, ignoring the attempt', () => {
    const { steps, counts } = compareSteps(stepsOf(0), stepsOf(-1));
    expect(counts.same + counts.missing + counts.extra + counts.outcome + counts.slower + counts.faster).toBe(
      steps.length,
    );
    const find = (action: string, target: string) =>
      steps.find(({ before, after }) => (before ?? after)?.action === action && (before ?? after)?.target === target);
    expect(find('RunPodSandbox', 'web-0')?.difference).toBe('missing');
    expect(find('computePodActions', 'computePodActions')?.difference).toBeUndefined();
    expect(steps.some(({ before, after }) => (before ?? after)?.action === 'decides')).toBe(true);
  });

  it('are equal for the same sync', () => {
    expect(compareSteps(stepsOf(0), stepsOf(0)).alike).toBe(true);
  });
});

describe('valueDifferences', () => {
  it.each([
    [{ a: 1 }, { a: 1 }, []],
    [{ a: 1, uid: 'x' }, { a: 2, uid: 'y' }, ['a: 1 → 2']],
    [
      { c: [{ name: 'app', image: 'a' }, { name: 'side' }] },
      { c: [{ name: 'side' }, { name: 'app', image: 'b' }] },
      ['c[app].image: a → b'],
    ],
    [{ state: { running: { startedAt: 'x' } } }, { state: { running: { startedAt: 'y' } } }, []],
    [{ l: ['a', 'b'] }, { l: ['a'] }, ['l[1]: b → undefined']],
    [undefined, { a: 'x' }, ['a: undefined → x']],
  ])('%j and %j', (before, after, differences) => {
    expect(
      valueDifferences(before, after).map(({ path, before: left, after: right }) => `${path}: ${left} → ${right}`),
    ).toEqual(differences);
  });
});
