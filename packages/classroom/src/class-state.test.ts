import { describe, expect, it } from 'vitest';
import type { ClassEvent, NumberedEvent, Task } from './class-event.ts';
import { applyEvent, type ClassState, emptyClass, isVisibleTo, stuckSince, visibleTo } from './class-state.ts';
import { lessonQuestionId, lessonTaskOf, parseLessonQuestionId, tallyAnswers, taskLessonId } from './questions.ts';

const start = 1_000;
const numbered = (events: readonly ClassEvent[]): NumberedEvent[] =>
  events.map((event, index) => ({ seq: index + 1, at: start + (index + 1) * 1_000, event }));
const fold = (...events: ClassEvent[]): ClassState => numbered(events).reduce(applyEvent, emptyClass(start));

const ada = { type: 'joined', learner: 'a', number: 1, name: 'Ada' } as const;
const bob = { type: 'joined', learner: 'b', number: 2 } as const;
const lesson = { id: 'crash-loops', step: 0, stepId: 'first', steps: 3 };

describe('applyEvent', () => {
  it('keeps learners in the order of joining, with or without names', () => {
    const { learners } = fold(ada, bob);
    expect([learners['a']?.name, learners['b']?.name, learners['b']?.number]).toEqual(['Ada', undefined, 2]);
  });

  it('ignores an event that the state contains already', () => {
    const state = fold(ada, { type: 'hand', learner: 'a', raised: true });
    const again = { seq: 2, at: 0, event: { type: 'hand', learner: 'a', raised: false } } as const;
    expect(applyEvent(state, again)).toBe(state);
  });

  it('counts the first answer and the first verdict only', () => {
    const state = fold(
      ada,
      { type: 'answered', learner: 'a', question: 'q', answer: 1 },
      { type: 'judged', learner: 'a', question: 'q', verdict: { right: false, actual: 0 } },
      { type: 'answered', learner: 'a', question: 'q', answer: 0 },
      { type: 'judged', learner: 'a', question: 'q', verdict: { right: true } },
    );
    expect(state.learners['a']?.answers['q']).toMatchObject({ answer: 1, verdict: { right: false } });
  });

  it('ignores a verdict without an answer', () => {
    const state = fold(ada, { type: 'judged', learner: 'a', question: 'q', verdict: { right: true } });
    expect(state.learners['a']?.answers).toEqual({});
  });

  it('keeps a completed task completed', () => {
    const state = fold(
      ada,
      { type: 'task', task: { id: 't', kind: 'lesson', lesson: 'crash-loops' } },
      { type: 'taskStatus', learner: 'a', task: 't', status: 'done' },
      { type: 'taskStatus', learner: 'a', task: 't', status: 'applied' },
    );
    expect(state.learners['a']?.tasks['t']?.status).toBe('done');
  });

  it('removes the breakpoints when consent is withdrawn', () => {
    const state = fold(
      ada,
      { type: 'consent', learner: 'a', given: true },
      { type: 'breakpointsSet', learner: 'a', breakpoints: [{ point: 'cri.StartContainer' }] },
      { type: 'consent', learner: 'a', given: false },
    );
    expect(state.learners['a']).toMatchObject({ consent: 'no', breakpoints: [] });
  });

  it('deletes all names at the end of the class and keeps the answers', () => {
    const state = fold(ada, { type: 'answered', learner: 'a', question: 'q', answer: 2 }, { type: 'ended' });
    expect(JSON.stringify(state)).not.toContain('Ada');
    expect(state.learners['a']?.answers['q']?.answer).toBe(2);
  });
});

describe('the state for a learner', () => {
  it('contains the class and the learner, and nothing about other learners', () => {
    const state = fold(ada, bob, { type: 'sharedView', sharedView: { id: 'l', view: '?tab=logs', run: 'r' } });
    const seen = visibleTo(state, 'b');
    expect(Object.keys(seen.learners)).toEqual(['b']);
    expect(seen.sharedView?.view).toBe('?tab=logs');
    expect(numbered([ada, bob, { type: 'ended' }]).map((event) => isVisibleTo(event, 'b'))).toEqual([
      false,
      true,
      true,
    ]);
  });
});

describe('stuckSince', () => {
  it('is the last progress of a learner with an open step, and undefined once the step is over', () => {
    const open = fold(ada, { type: 'moved', learner: 'a', place: { lesson, phase: 'ready' } });
    const over = fold(ada, { type: 'moved', learner: 'a', place: { lesson, phase: 'over' } });
    const since = (state: ClassState): number | undefined => {
      const learner = state.learners['a'];
      return learner && stuckSince(learner, state);
    };
    expect(since(open)).toBe(start + 2_000);
    expect(since(over)).toBeUndefined();
  });
});

describe('progress', () => {
  const inStep = (phase: 'ready' | 'playing' | 'over'): ClassEvent => ({
    type: 'moved',
    learner: 'a',
    place: { lesson, phase },
  });
  const attempted = (attempt: number, met: number): ClassEvent => ({
    type: 'attempted',
    learner: 'a',
    question: lessonQuestionId('crash-loops', 'first'),
    attempt,
    met,
    goals: 2,
  });
  const activeAt = (...events: ClassEvent[]): number | undefined => fold(ada, ...events).learners['a']?.activeAt;

  it('is a new step and its end, not what happens in between', () => {
    expect(activeAt(inStep('ready'), inStep('playing'), inStep('ready'))).toBe(start + 2_000);
    expect(activeAt(inStep('ready'), inStep('playing'), inStep('over'))).toBe(start + 4_000);
  });

  it('is an attempt that meets more goals than the one before', () => {
    expect(activeAt(inStep('ready'), attempted(1, 0), attempted(2, 0))).toBe(start + 2_000);
    expect(activeAt(inStep('ready'), attempted(1, 1), attempted(2, 1))).toBe(start + 3_000);
  });

  it('keeps a solved exercise solved', () => {
    const state = fold(ada, attempted(1, 2), attempted(2, 0));
    expect(Object.values(state.learners['a']?.answers ?? {})).toMatchObject([{ answer: 1, verdict: { right: true } }]);
  });
});

describe('a learner’s run', () => {
  const moved = (run?: string): ClassEvent => ({
    type: 'moved',
    learner: 'a',
    place: run === undefined ? {} : { run },
  });
  const breakpointSet: ClassEvent = { type: 'breakpointsSet', learner: 'a', breakpoints: [{ point: 'syncPod' }] };
  const breakpoints = (...events: ClassEvent[]): unknown => fold(ada, ...events).learners['a']?.breakpoints;

  it('loses the teacher’s breakpoints when another run begins', () => {
    expect(breakpoints(moved('run-1'), breakpointSet, moved('run-1'))).toHaveLength(1);
    expect(breakpoints(moved('run-1'), breakpointSet, moved('run-2'))).toEqual([]);
    expect(breakpoints(moved('run-1'), breakpointSet, moved(), moved('run-2'))).toEqual([]);
  });
});

describe('questions', () => {
  it('counts answers with the verdict of the majority', () => {
    const give = (learner: string, answer: number, right: boolean): ClassEvent[] => [
      { type: 'answered', learner, question: 'q', answer },
      { type: 'judged', learner, question: 'q', verdict: { right } },
    ];
    const state = fold(ada, bob, ...give('a', 1, true), ...give('b', 0, false));
    expect(tallyAnswers(state, 'q')).toEqual([
      { answer: 0, count: 1, right: false },
      { answer: 1, count: 1, right: true },
    ]);
  });

  it('finds the task that contains a lesson, and none for a lesson of the library', () => {
    const task: Task = { id: 't-1', kind: 'lesson', lesson: 'crash-loops', source: { text: 'mine' } };
    expect(lessonTaskOf(taskLessonId('t-1'), [task])).toEqual(task);
    expect(lessonTaskOf(taskLessonId('t-2'), [task])).toBeUndefined();
    expect(lessonTaskOf('crash-loops', [task])).toBeUndefined();
    const id = lessonQuestionId(taskLessonId('t-1'), 'first');
    expect(parseLessonQuestionId(id)).toEqual({ lesson: taskLessonId('t-1'), step: 'first' });
  });

  it('parses only the id of a lesson’s question', () => {
    expect(parseLessonQuestionId(lessonQuestionId('crash-loops', 'first'))).toEqual({
      lesson: 'crash-loops',
      step: 'first',
    });
    expect(parseLessonQuestionId('question-1')).toBeUndefined();
  });
});
