import { findScenario } from '@podscope/scenarios';
import { describe, expect, it } from 'vitest';
import { draftOfRecording, type FinishedRecording } from './recorded-draft.ts';

const apply = { command: 'apply', manifest: 'kind: Pod\nmetadata: { name: web }\n' } as const;
const moment = (at: number, point?: string) => ({ at, tab: 'steps', point });
const recording = (changes: Partial<FinishedRecording>): FinishedRecording => ({
  id: 'mine',
  base: undefined,
  commands: [],
  moments: [moment(3)],
  stops: [],
  end: 20,
  ...changes,
});

describe('a recording on an empty node', () => {
  it('omits the time before the first manifest, so that the scenario begins with it', () => {
    const { scenario, steps } = draftOfRecording(
      recording({
        commands: [
          { at: 7.25, command: apply },
          { at: 12.5956, command: { command: 'deletePod', namespace: 'default', name: 'web', gracePeriodSeconds: 0 } },
        ],
        moments: [moment(5), moment(11.25)],
      }),
    );
    expect(scenario).toEqual({
      id: 'mine',
      manifest: apply.manifest,
      acts: [{ at: 5.346, do: 'deletePod', pod: 'web', gracePeriodSeconds: 0 }],
      duration: 73,
    });
    expect(steps.map(({ id, scene }) => ({ id, ...scene?.words }))).toEqual([
      { id: 'step-1', scenario: 'mine', at: 0, until: 4, look: 'steps' },
      { id: 'step-2', scenario: 'mine', at: 4, until: 12.75, look: 'steps' },
    ]);
  });

  it('points a step at the selected call, and stops at the breakpoint that stopped the run', () => {
    const { steps } = draftOfRecording(
      recording({
        commands: [{ at: 0, command: apply }],
        moments: [moment(1, 'cri.CreateContainer'), moment(5)],
        stops: [{ at: 2, point: 'kuberuntime.doBackOff', phase: 'before' }],
      }),
    );
    expect(steps[0]?.scene?.words).toMatchObject({
      breakpoint: { point: 'kuberuntime.doBackOff', phase: 'before' },
      look: { at: 'inspector', point: 'cri.CreateContainer' },
    });
    expect(steps[1]?.scene?.words).not.toHaveProperty('breakpoint');
  });

  it('names the commands that a scenario can’t repeat', () => {
    const { omitted } = draftOfRecording(
      recording({
        commands: [
          { at: 0, command: apply },
          { at: 1, command: { command: 'setTime', paused: false } },
          { at: 2, command: { command: 'deletePod', namespace: 'other', name: 'web' } },
        ],
      }),
    );
    expect(omitted).toEqual(['deletePod']);
  });
});

describe('a recording on a scenario of the library', () => {
  const base = findScenario('crash-loop');

  it('plays that scenario when nothing was changed', () => {
    const { scenario, steps } = draftOfRecording(recording({ base }));
    expect(scenario).toBeUndefined();
    expect(steps[0]?.scene?.words).toMatchObject({ scenario: 'crash-loop', at: 3, until: 20 });
  });

  it("adds the user's changes to its manifest", () => {
    const { scenario } = draftOfRecording(
      recording({
        base,
        commands: [
          {
            at: 4,
            command: {
              command: 'killContainer',
              namespace: 'default',
              name: 'crash-loop',
              container: 'app',
              exitCode: 2,
            },
          },
        ],
      }),
    );
    expect(scenario).toMatchObject({
      id: 'mine',
      manifest: base?.manifest,
      acts: [{ at: 4, do: 'exitContainer', pod: 'crash-loop', container: 'app', code: 2 }],
    });
  });
});
