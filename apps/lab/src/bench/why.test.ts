/** Scores the diagnosis on the pods in apps/lab/why. No remedy may be wrong. */
import { join } from 'node:path';
import type { Diagnosis } from '@podscope/trace/explain';
import { describe, expect, it } from 'vitest';
import type { Answer } from './why/cases.ts';
import { grade, passes } from './why/grade.ts';
import { scoreOf } from './why.ts';

const folder = join(import.meta.dirname, '../../why');

describe('the diagnosis of failing pods', () => {
  it.each([
    ['first-ten', 10, 1],
    ['tuned', 58, 0.95],
    ['held-out', 29, 0.9],
    ['fresh-40', 40, 0.95],
    ['fresh-25', 25, 0.95],
    ['fresh-110', 110, 0.95],
    ['fresh-45', 45, 0.95],
    ['fresh-30', 30, 0.95],
    ['fresh-10', 10, 0.95],
    ['fresh-60', 60, 0.95],
    ['fresh-19', 19, 0.95],
    ['fresh-6', 6, 1],
    ['kinds', 40, 0.95],
    ['ordinary', 70, 1],
    ['threads', 42, 0.95],
    ['rounds', 205, 0.95],
    ['logged', 51, 0.95],
    ['running', 33, 0.95],
  ] as const)('passes the pods in %s', (name, size, share) => {
    const { cases } = scoreOf(join(folder, name));
    expect(cases.length).toBeGreaterThanOrEqual(size);
    expect(cases.filter(({ grade: { remedy } }) => remedy === 'wrong')).toEqual([]);
    const failed = cases
      .filter((each) => !passes(each.grade))
      .map(({ name: pod, grade: { misses } }) => ({ pod, misses }));
    expect({ failed, isEnough: failed.length <= (1 - share) * cases.length }).toMatchObject({ isEnough: true });
  });
});

describe('grade', () => {
  const text = (id: 'oomRaise' | 'crashSame', values: Record<string, string>) => ({ id, values });
  const diagnosis: Diagnosis = {
    reason: 'OOMKilled',
    severity: 'error',
    title: { id: 'oomLimitTitle', values: { container: 'app', limit: '1Gi' } },
    cause: [],
    facts: [],
    next: [{ why: text('oomRaise', { limit: '1Gi', owner: 'Deployment web' }), command: 'kubectl set resources' }],
    outlook: [text('crashSame', {})],
  };
  const answer = (expect: Answer['expect']): Answer => ({
    case: 'x',
    cause: '',
    remedy: '',
    must_not: '',
    next: '',
    expect,
  });
  const all = { cause: ['memory limit', '1Gi'], remedy: ['Deployment web'], not: [], next: ['again'] };

  it('is right for each aspect whose patterns all match', () => {
    expect(grade([diagnosis], answer(all))).toMatchObject({
      cause: 'right',
      remedy: 'right',
      forecast: 'right',
      misses: [],
    });
  });

  it('is partly, vague and wrong when patterns are missed, and names them', () => {
    const { misses, ...grades } = grade(
      [diagnosis],
      answer({ cause: ['1Gi', 'leak'], remedy: ['StatefulSet'], not: [], next: ['08:00'] }),
    );
    expect(grades).toEqual({ cause: 'partly', remedy: 'vague', forecast: 'wrong' });
    expect(misses).toEqual(['cause lacks /leak/', 'remedy lacks /StatefulSet/', 'forecast lacks /08:00/']);
  });

  it('has a wrong remedy when a forbidden pattern matches, even if the right one is there too', () => {
    expect(grade([diagnosis], answer({ ...all, not: ['set resources'] })).remedy).toBe('wrong');
  });

  it('grades a missing diagnosis as silent, and as right for a healthy pod', () => {
    expect(grade([], answer(all))).toMatchObject({ cause: 'silent', remedy: 'none', forecast: 'none' });
    expect(passes(grade([], answer({ healthy: true })))).toBe(true);
    expect(grade([diagnosis], answer({ healthy: true })).cause).toBe('wrong');
  });

  it('compares words for an answer without patterns', () => {
    const words = (cause: string): Answer => ({
      case: 'x',
      cause,
      remedy: 'Raise the limit above 1Gi in Deployment web',
      must_not: 'delete the pod',
      next: 'It fails again the same way',
    });
    expect(grade([diagnosis], words('app is killed at its memory limit of 1Gi'))).toMatchObject({
      cause: 'right',
      remedy: 'right',
      forecast: 'right',
    });
    expect(grade([diagnosis], words('The registry certificate expired yesterday')).cause).toBe('wrong');
  });
});
