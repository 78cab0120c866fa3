import { instant, type TraceEvent } from '@podscope/trace';
import { describe, expect, it } from 'vitest';
import type { Question } from './class-event.ts';
import { type AskedQuestion, askedIn, judgeAnswer, spansBegun } from './judge.ts';

const asked = (question: Question): AskedQuestion => ({ question, seq: 10, time: 100_000, pod: 'uid' });
const base = { id: 'q', text: 'What?' };

const spanStarted = (seq: number, point: string, pod = 'uid'): TraceEvent => ({
  type: 'spanStarted',
  seq,
  time: instant(100_000 + seq),
  thread: pod,
  pod,
  span: seq,
  point,
  kind: 'syncStep',
  title: point,
  attributes: {},
});
const started = (seq: number, time: number, container: string, pod = 'uid'): TraceEvent => ({
  type: 'kubernetesEvent',
  seq,
  time: instant(time),
  thread: pod,
  pod,
  eventType: 'Normal',
  reason: 'Started',
  message: '',
  container,
  count: 1,
});

describe('askedIn', () => {
  const events = [
    spanStarted(1, 'syncPod'),
    spanStarted(2, 'syncPod', 'other'),
    spanStarted(3, 'syncPod.computePodActions'),
    spanStarted(4, 'syncPod.createPodSandbox'),
  ];
  const scene = { scenario: 'one-container', profile: 'v1.36', at: 1 } as const;
  const question: Question = { ...base, kind: 'restartIn', scene };

  it.each([
    ['before the first span of the pod that hadn’t begun', 2, { seq: 3, time: 100_004 }],
    ['now, if no further span has begun', 3, { seq: 4, time: 105_000 }],
    ['now, if the scene counts no spans', undefined, { seq: 4, time: 105_000 }],
  ])('asks %s', (_when, spans, moment) => {
    const given = { ...question, scene: { ...scene, spans } };
    expect(askedIn(given, { events, now: 105_000, pod: 'uid' })).toEqual({ question: given, pod: 'uid', ...moment });
  });

  it('finds the moment again by the number of spans that had begun', () => {
    expect(spansBegun(events, 'uid', 3)).toBe(2);
    expect(spansBegun(events, undefined, 3)).toBe(3);
  });
});

describe('judgeAnswer', () => {
  const nextStep: Question = {
    ...base,
    kind: 'nextStep',
    options: [
      { point: 'syncPod.createPodSandbox', title: 'Create the sandbox' },
      { point: 'syncPod.startContainer', title: 'Start containers' },
    ],
  };

  it('decides on the first of the steps that begins after the question', () => {
    const events = [
      spanStarted(9, 'syncPod.createPodSandbox'),
      spanStarted(11, 'cri.RunPodSandbox'),
      spanStarted(12, 'syncPod.startContainer', 'other'),
      spanStarted(13, 'syncPod.startContainer'),
    ];
    expect(judgeAnswer(asked(nextStep), 1, { events })).toEqual({ right: true, actual: 1 });
    expect(judgeAnswer(asked(nextStep), 0, { events })).toEqual({ right: false, actual: 1 });
  });

  it('decides nothing before one of the steps begins', () => {
    expect(judgeAnswer(asked(nextStep), 0, { events: [spanStarted(9, 'syncPod.createPodSandbox')] })).toBeUndefined();
  });

  const restart: Question = { ...base, kind: 'restartIn', container: 'app' };

  it.each([
    [20, true],
    [22, true],
    [18, true],
    [23, false],
    [17, false],
  ])('judges %s seconds for a restart after 20 seconds: %s', (answer, right) => {
    const events = [started(5, 90_000, 'app'), started(11, 105_000, 'other'), started(12, 120_000, 'app')];
    expect(judgeAnswer(asked(restart), answer, { events })).toEqual({ right, actual: 20 });
  });

  it('accepts a second of difference for a short wait', () => {
    const events = [started(12, 102_000, 'app')];
    expect(judgeAnswer(asked(restart), 3, { events })?.right).toBe(true);
    expect(judgeAnswer(asked(restart), 4, { events })?.right).toBe(false);
  });

  it('compares an own question with the option that the teacher marked, and judges nothing without one', () => {
    const choice: Question = { ...base, kind: 'choice', options: ['yes', 'no'] };
    expect(judgeAnswer(asked({ ...choice, right: 1 }), 1, { events: [] })).toEqual({ right: true, actual: 1 });
    expect(judgeAnswer(asked(choice), 1, { events: [] })).toEqual({ right: null });
  });
});
