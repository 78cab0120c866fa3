import { describe, expect, it } from 'vitest';
import { toMilliseconds } from './duration.ts';
import { makeFailure } from './failures.ts';
import { parseFaultPlan } from './fault-plans.ts';

describe('parseFaultPlan', () => {
  it('parses a plan', () => {
    const { plan, errors } = parseFaultPlan(`
name: slow-registry
description: The registry is slow, then gone.
faults:
  - {at: cri.PullImage, delay: 1.5s, times: 1}
  - at: cri.PullImage
    skip: 1
    fail: {grpc: Unavailable, message: connection refused}
`);
    expect(errors).toEqual([]);
    expect(plan?.faults).toHaveLength(2);
  });

  it.each([
    ['name: Bad Name\nfaults: [{at: a, hang: true}]', { field: 'name', line: 1 }],
    ['name: a\nfaults: []', { field: 'faults', line: 2 }],
    [
      'name: a\nfaults:\n  - at: a\n    hang: true\n    colour: red',
      { field: 'faults[0]', line: 3, message: expect.stringContaining('colour') },
    ],
    ['name: a\nfaults:\n  - at: a\n    fail: {grpc: Infernal, message: m}', { field: 'faults[0].fail.grpc', line: 4 }],
    ['name: a\nfaults:\n  - at: a\n    fail: {docker: 200, message: m}', { field: 'faults[0].fail.docker', line: 4 }],
    ['name: a\nfaults:\n  - at: a\n    delay: soon', { field: 'faults[0].delay', line: 4 }],
    ['name: a\nfaults: [', { line: 2 }],
    ['', { field: '' }],
  ])('reports the place of the error in %j', (yaml, error) => {
    expect(parseFaultPlan(yaml).plan).toBeUndefined();
    expect(parseFaultPlan(yaml).errors).toEqual(expect.arrayContaining([expect.objectContaining(error)]));
  });

  it.each([
    ['is too large', `# ${'x'.repeat(262_144)}`, 'the plan is larger than 262144 bytes'],
    ['is nested in brackets', '['.repeat(100_000), 'the plan is nested deeper than 64 levels'],
    ['is nested by lines', '- '.repeat(100_000), 'the plan is nested deeper than 64 levels'],
    ['is more than one', 'name: a\n---\nname: b\n', 'the plan has more than 1 documents'],
    ['says a thing twice', 'name: a\nname: b\n', 'yaml: line 2: key "name" already set in map'],
  ])('rejects a text that %s', (_what, text, message) =>
    expect(parseFaultPlan(text).errors).toEqual([expect.objectContaining({ message })]),
  );

  it('limits the expansion of aliases', () => {
    const bomb =
      'a: &a [x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nname: x\nfaults: ' +
      '[*c,*c,*c]';
    expect(parseFaultPlan(bomb).errors).not.toEqual([]);
  });
});

it.each([
  [250, 250],
  ['250ms', 250],
  ['1.5s', 1_500],
  ['2m', 120_000],
  ['1h', 3_600_000],
])('parses %j as %j ms', (text, ms) => expect(toMilliseconds(text)).toBe(ms));

it('creates errors of the layer they are injected into', () => {
  expect(makeFailure({ grpc: 'NotFound', message: 'gone' })).toMatchObject({
    name: 'CriError',
    code: 'NotFound',
    message: 'gone',
  });
  const docker = (status: number, message: string): Error => Object.assign(new Error(message), { status });
  expect(makeFailure({ docker: 500, message: 'broken' }, { docker })).toMatchObject({ status: 500, message: 'broken' });
  expect(makeFailure({ docker: 500, message: 'broken' })).toMatchObject({
    name: 'CriError',
    message: 'Error response from daemon: broken',
  });
  expect(makeFailure({ reason: 'Odd', message: 'x' })).toMatchObject({ reason: 'Odd', message: 'x' });
});
