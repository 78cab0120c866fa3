import { describe, expect, it } from 'vitest';
import { breakpointsBefore, scopeFor, withScope } from './step-scope.ts';

const pod = { namespace: 'default', name: 'web-0' };

describe('scopeFor', () => {
  it.each([
    [{}, 'all'],
    [{ pod: 'web-0' }, 'pod'],
    [{ pod: 'web-0', namespace: 'default' }, 'pod'],
    [{ pod: 'web-0', namespace: 'other' }, undefined],
    [{ pod: 'web-*' }, 'all'],
    [{ pod: 'web-?', namespace: 'def*' }, 'all'],
    [{ pod: 'web.0' }, undefined],
    [{ namespace: 'default' }, 'all'],
    [{ pod: 'db' }, undefined],
  ] as const)('of %j for default/web-0 is %s', (target, scope) => expect(scopeFor(target, pod)).toBe(scope));

  it('is all pods while no pod is selected', () => expect(scopeFor({ pod: 'db' }, undefined)).toBe('all'));
});

it('widens a breakpoint to all pods and keeps its condition', () => {
  const spec = { point: 'cri.*', namespace: 'default', pod: 'web-0', condition: 'attempt > 1' };
  expect(withScope(spec, 'all', pod)).toEqual({ point: 'cri.*', condition: 'attempt > 1' });
  expect(withScope({ point: 'cri.*' }, 'pod', pod)).toEqual({ point: 'cri.*', namespace: 'default', pod: 'web-0' });
});

it('finds only breakpoints before the point that stop the pod', () => {
  const state = (id: number, spec: object) => ({
    id,
    group: '',
    verified: true,
    hits: 0,
    spec: { point: 'syncPod.killPod', ...spec },
  });
  const all = [
    state(1, {}),
    state(2, { when: 'after' as const }),
    state(3, { pod: 'db' }),
    state(4, { point: 'cri.*' }),
  ];
  expect(breakpointsBefore(all, 'syncPod.killPod', pod).map(({ id }) => id)).toEqual([1]);
});
