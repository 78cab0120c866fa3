import type { DecisionRecord } from '@podscope/trace';
import { describe, expect, it } from 'vitest';
import { groupDecisions } from './group-decisions.ts';

const decision = (rule: string, container?: string): DecisionRecord => ({
  seq: 1,
  time: 0,
  rule,
  facts: container === undefined ? {} : { container },
  outcome: 'no',
  decisive: false,
});

describe('groupDecisions', () => {
  it('groups the rules of one question', () => {
    const groups = groupDecisions([
      decision('podSandboxChanged.moreThanOneReady'),
      decision('podSandboxChanged.unchanged'),
      decision('computePodActions.containerChanged', 'app'),
      decision('computePodActions.livenessProbeFailed', 'app'),
      decision('computePodActions.containerChanged', 'side'),
    ]);
    expect(groups.map(({ name, container, decisions }) => [name, container, decisions.length])).toEqual([
      ['podSandboxChanged', undefined, 2],
      ['computePodActions', 'app', 2],
      ['computePodActions', 'side', 1],
    ]);
  });
});
