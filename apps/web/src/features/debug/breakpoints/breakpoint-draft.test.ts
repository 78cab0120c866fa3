import type { BreakpointSpec } from '@podscope/protocol';
import { describe, expect, it } from 'vitest';
import { draftOf, specOf } from './breakpoint-draft.ts';

const specs: readonly BreakpointSpec[] = [
  { point: 'cri.CreateContainer', when: 'before' },
  { kind: 'docker', when: 'error', pod: 'web-*', containerType: 'sidecar' },
  { decision: 'computePodActions.*', when: 'before', condition: 'attempt > 1', hitCondition: '% 5' },
  {
    source: { path: 'packages/kuberuntime/src/sync/steps.ts', line: 12 },
    when: 'after',
    namespace: 'default',
    container: 'app',
    oneShot: true,
  },
  { point: 'cri.*', when: 'before', logMessage: 'attempt {attempt}', enabled: false, threads: 'all' },
];

describe('the draft of a breakpoint', () => {
  it('returns the breakpoint that it was made from', () => {
    for (const spec of specs) expect(specOf(draftOf(spec), spec)).toEqual(spec);
  });

  it('omits empty fields', () => {
    expect(specOf({ ...draftOf(undefined), place: ' cri.* ', pod: '  ' }, undefined)).toEqual({
      point: 'cri.*',
      when: 'before',
    });
  });
});
