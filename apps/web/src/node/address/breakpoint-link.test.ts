import type { BreakpointSpec, BreakpointState } from '@podscope/protocol';
import { describe, expect, it } from 'vitest';
import { missingOf, readBreakpoints, writeBreakpoints } from './breakpoint-link.ts';

const state = (
  ...specs: readonly BreakpointSpec[]
): { breakpoints: BreakpointState[]; filters: { filter: 'anyError'; pod: string }[] } => ({
  breakpoints: specs.map((spec, index) => ({ id: index + 1, group: '', spec, verified: true, hits: 3 })),
  filters: [{ filter: 'anyError', pod: 'web' }],
});

const specs: readonly BreakpointSpec[] = [
  { point: 'cri.CreateContainer', pod: 'web-*', condition: 'attempt > 1 && error.contains("x")', when: 'error' },
  { source: { path: 'packages/kuberuntime/src/sync/steps.ts', line: 12 }, hitCondition: '>= 3' },
  { kind: 'cri', logMessage: '{container}' },
];

describe('breakpoints in a link', () => {
  it('restores breakpoints and filters unchanged', () => {
    const { text = '', count } = writeBreakpoints(state(...specs)) ?? {};
    expect(count).toBe(4);
    expect(readBreakpoints(text)).toEqual({ breakpoints: specs, filters: [{ filter: 'anyError', pod: 'web' }] });
  });

  it('omits one-shot breakpoints and returns nothing when there are too many', () => {
    expect(
      writeBreakpoints({ breakpoints: state({ point: 'cri.*', oneShot: true }).breakpoints, filters: [] }),
    ).toBeUndefined();
    expect(
      writeBreakpoints(state(...Array.from({ length: 51 }, (_, index) => ({ point: `cri.${index}` })))),
    ).toBeUndefined();
    expect(
      writeBreakpoints(
        state(
          ...Array.from({ length: 20 }, (_, index) => ({ point: 'cri.*', condition: `${'x'.repeat(900)}${index}` })),
        ),
      ),
    ).toBeUndefined();
  });

  it.each([
    ['nothing', null],
    ['no JSON', '[{'],
    ['another shape', '{"point":"cri.*"}'],
    ['no place', '[{"pod":"web"}]'],
    ['two places', '[{"point":"cri.*","kind":"cri"}]'],
    ['an unknown filter', '[{"filter":"everything"}]'],
    ['an empty list', '[]'],
    ['too much', JSON.stringify([{ point: 'a', logMessage: 'x'.repeat(7_000) }])],
  ])('that hold %s bring nothing', (_, text) => expect(readBreakpoints(text)).toBeUndefined());

  it('returns only the breakpoints that the debugger lacks', () => {
    const [first, second] = specs;
    const reordered = { when: 'error', ...first } as BreakpointSpec;
    const linked = {
      breakpoints: [...(second ? [second] : []), reordered],
      filters: [{ filter: 'anyError' as const, pod: 'web' }],
    };
    expect(missingOf(linked, state(...(first ? [first] : [])))).toEqual({ breakpoints: [second], filters: [] });
  });
});
