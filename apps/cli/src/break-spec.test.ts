import { describe, expect, it } from 'vitest';
import { BreakSpecError, formatBreakSpec, parseBreakArgument, parseBreakSpec } from './break-spec.ts';

describe('parseBreakSpec', () => {
  it.each([
    ['cri.CreateContainer', { point: 'cri.CreateContainer' }],
    ['after cri.* pod=web once', { point: 'cri.*', when: 'after', pod: 'web', oneShot: true }],
    ['error kind:cri', { kind: 'cri', when: 'error' }],
    ['decision:podSandboxChanged.* namespace=default', { decision: 'podSandboxChanged.*', namespace: 'default' }],
    [
      'packages/kuberuntime/src/sync/steps.ts:104',
      { source: { path: 'packages/kuberuntime/src/sync/steps.ts', line: 104 } },
    ],
    [
      'cri.PullImage hits=">= 3" container=app if attempt > 1 && error.contains("not found")',
      {
        point: 'cri.PullImage',
        hitCondition: '>= 3',
        container: 'app',
        condition: 'attempt > 1 && error.contains("not found")',
      },
    ],
    [
      'cri.StartContainer disabled log start {container}',
      { point: 'cri.StartContainer', enabled: false, logMessage: 'start {container}' },
    ],
  ])('parses %s and formats it back to the same breakpoint', (text, spec) => {
    expect(parseBreakSpec(text)).toEqual(spec);
    expect(parseBreakSpec(formatBreakSpec(parseBreakSpec(text)))).toEqual(spec);
  });

  it.each(['', 'after', 'cri.* sometimes', 'cri.* hits=often', 'cri.* containerType=pause', 'steps.ts:0'])(
    'throws BreakSpecError for %j',
    (text) => {
      expect(() => parseBreakSpec(text)).toThrow(BreakSpecError);
    },
  );

  it('reads a filter name with its condition as an exception filter', () => {
    expect(parseBreakArgument('firstBackOff')).toEqual({ filter: { filter: 'firstBackOff' } });
    expect(parseBreakArgument('anyError if reason != "CrashLoopBackOff"')).toEqual({
      filter: { filter: 'anyError', condition: 'reason != "CrashLoopBackOff"' },
    });
    expect(parseBreakArgument('cri.*')).toEqual({ breakpoint: { point: 'cri.*' } });
  });
});
