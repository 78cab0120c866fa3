/** Computes the state of a class from its events. Server, teacher and learners use the same function. */
import { breakpointSpecSchema } from '@podscope/protocol';
import { z } from 'zod';
import {
  answerSchema,
  type ClassEvent,
  type NumberedEvent,
  type Place,
  placeSchema,
  type Question,
  questionSchema,
  sharedViewSchema,
  taskSchema,
  taskStatusSchema,
  verdictSchema,
} from './class-event.ts';

const givenAnswerSchema = z.object({
  answer: answerSchema,
  at: z.number(),
  verdict: verdictSchema.optional(),
  /**
   * The number of goals that the latest attempt met, for an exercise. The `answer` of an exercise is the number of the
   * attempt.
   */
  goals: z.object({ met: z.int().nonnegative(), of: z.int().positive() }).optional(),
});

const learnerSchema = z.object({
  id: z.string(),
  /** Number of the learner, from 1, in the order of joining. */
  number: z.int(),
  /** The learner's name. Undefined for a learner without a name, and for all learners after the class. */
  name: z.string().optional(),
  joinedAt: z.number(),
  connected: z.boolean(),
  place: placeSchema,
  /** When the learner last made progress ({@link stuckSince}), in milliseconds since the Unix epoch. */
  activeAt: z.number(),
  /** When the learner raised a hand, in milliseconds since the Unix epoch; undefined while the hand is down. */
  handAt: z.number().optional(),
  consent: z.enum(['no', 'asked', 'given']),
  isWatched: z.boolean(),
  /** The view that the teacher pointed at most recently. */
  pointed: z.object({ seq: z.int(), view: z.string() }).optional(),
  breakpoints: z.array(breakpointSpecSchema),
  /** The learner's answers by question id. */
  answers: z.record(z.string(), givenAnswerSchema),
  /** The learner's task statuses by task id. */
  tasks: z.record(z.string(), z.object({ status: taskStatusSchema, message: z.string().optional() })),
});
export type Learner = z.infer<typeof learnerSchema>;

export const classStateSchema = z.object({
  /** Number of the last event. */
  seq: z.int().nonnegative(),
  startedAt: z.number(),
  endedAt: z.number().optional(),
  learners: z.record(z.string(), learnerSchema),
  sharedView: sharedViewSchema.nullable(),
  tasks: z.array(taskSchema),
  questions: z.array(
    z.object({
      question: questionSchema,
      askedAt: z.number(),
      isOpen: z.boolean(),
      bars: z.array(z.object({ answer: answerSchema, count: z.int(), right: z.boolean().nullable() })).optional(),
    }),
  ),
});
export type ClassState = z.infer<typeof classStateSchema>;

/** Returns the state before the first event. */
export const emptyClass = (startedAt: number): ClassState => ({
  seq: 0,
  startedAt,
  learners: {},
  sharedView: null,
  tasks: [],
  questions: [],
});

const newLearner = (id: string, number: number, name: string | undefined, at: number): Learner => ({
  id,
  number,
  ...(name ? { name } : {}),
  joinedAt: at,
  connected: true,
  place: {},
  activeAt: at,
  consent: 'no',
  isWatched: false,
  breakpoints: [],
  answers: {},
  tasks: {},
});

/** Returns true if a change of place is progress. Within one lesson step, only the end of the step is progress. */
const isProgress = (before: Place, now: Place): boolean =>
  now.lesson === undefined ||
  before.lesson?.id !== now.lesson.id ||
  before.lesson.step !== now.lesson.step ||
  (now.phase === 'over' && before.phase !== 'over');

/** Returns the changes that an attempt at an exercise makes to the learner. A solved exercise stays solved. */
function attemptChange(
  { answers }: Learner,
  { question, attempt, met, goals }: Extract<ClassEvent, { type: 'attempted' }>,
  at: number,
): Partial<Learner> {
  const before = answers[question];
  if (before?.verdict?.right === true) return {};
  const answer = { answer: attempt, at, verdict: { right: met === goals }, goals: { met, of: goals } };
  return {
    answers: { ...answers, [question]: answer },
    // An attempt counts as progress if it meets more goals than the one before.
    ...(met > (before?.goals?.met ?? 0) ? { activeAt: at } : {}),
  };
}

/** Returns the changes that an event makes to the learner it concerns. */
function learnerChange(learner: Learner, { seq, at, event }: NumberedEvent): Partial<Learner> {
  switch (event.type) {
    case 'connection':
      return { connected: event.connected };
    case 'moved': {
      // A page without a connection to its node doesn't name its run.
      const { run = learner.place.run } = event.place;
      const beginsRun = run !== learner.place.run && learner.place.run !== undefined;
      return {
        place: { ...event.place, ...(run === undefined ? {} : { run }) },
        ...(isProgress(learner.place, event.place) ? { activeAt: at } : {}),
        // A breakpoint belongs to the run in which the teacher set it.
        ...(beginsRun ? { breakpoints: [] } : {}),
      };
    }
    case 'hand':
      return { handAt: event.raised ? (learner.handAt ?? at) : undefined };
    case 'answered':
      // Only the first answer counts, because the learner may know the verdict afterwards.
      if (learner.answers[event.question]) return {};
      return { activeAt: at, answers: { ...learner.answers, [event.question]: { answer: event.answer, at } } };
    case 'judged': {
      const given = learner.answers[event.question];
      if (!given || given.verdict) return {};
      return { answers: { ...learner.answers, [event.question]: { ...given, verdict: event.verdict } } };
    }
    case 'attempted':
      return attemptChange(learner, event, at);
    case 'consentAsked':
      return learner.consent === 'given' ? {} : { consent: 'asked' };
    case 'consent':
      return event.given ? { consent: 'given' } : { consent: 'no', breakpoints: [] };
    case 'watched':
      return { isWatched: event.watching };
    case 'pointed':
      return { pointed: { seq, view: event.view } };
    case 'breakpointsSet':
      return { breakpoints: event.breakpoints };
    case 'taskStatus': {
      // A completed task stays completed.
      if (learner.tasks[event.task]?.status === 'done') return {};
      const { status, message } = event;
      return {
        activeAt: at,
        tasks: { ...learner.tasks, [event.task]: { status, ...(message === undefined ? {} : { message }) } },
      };
    }
    default:
      return {};
  }
}

const withoutNames = (learners: ClassState['learners']): ClassState['learners'] =>
  Object.fromEntries(
    Object.entries(learners).map(([id, { name: _name, ...learner }]) => [
      id,
      { ...learner, handAt: undefined, isWatched: false, connected: false },
    ]),
  );

/** Returns the changes that an event makes to the class as a whole. */
function classChange(state: ClassState, { at, event }: NumberedEvent): Partial<ClassState> {
  switch (event.type) {
    case 'joined':
      return {
        learners: { ...state.learners, [event.learner]: newLearner(event.learner, event.number, event.name, at) },
      };
    case 'removed': {
      const { [event.learner]: _removed, ...learners } = state.learners;
      return { learners };
    }
    case 'sharedView':
      return { sharedView: event.sharedView };
    case 'task':
      return { tasks: [...state.tasks, event.task] };
    case 'question':
      return { questions: [...state.questions, { question: event.question, askedAt: at, isOpen: true }] };
    case 'questionClosed':
    case 'revealed': {
      const bars = event.type === 'revealed' ? { bars: event.bars } : {};
      return {
        questions: state.questions.map((each) =>
          each.question.id === event.question ? { ...each, isOpen: false, ...bars } : each,
        ),
      };
    }
    case 'ended':
      return { endedAt: at, sharedView: null, learners: withoutNames(state.learners) };
    default:
      return {};
  }
}

/** Returns the state after an event. An event that the state already contains changes nothing. */
export function applyEvent(state: ClassState, numbered: NumberedEvent): ClassState {
  if (numbered.seq <= state.seq) return state;
  const { event, seq } = numbered;
  const learner = 'learner' in event ? state.learners[event.learner] : undefined;
  if (!learner || event.type === 'removed') return { ...state, ...classChange(state, numbered), seq };
  const changed = { ...learner, ...learnerChange(learner, numbered) };
  return { ...state, learners: { ...state.learners, [learner.id]: changed }, seq };
}

/** Returns true for an event that the learner may see: an event of the whole class, or one of the learner's own. */
export const isVisibleTo = ({ event }: NumberedEvent, learner: string): boolean =>
  'learner' in event ? event.learner === learner : true;

/** Returns the question without its right option. */
function withoutRightAnswer(question: Question): Question {
  if (question.kind !== 'choice') return question;
  const { right: _right, ...rest } = question;
  return rest;
}

/** Returns the event as learners receive it: without the right option of a question. */
export const forLearners = (numbered: NumberedEvent): NumberedEvent =>
  numbered.event.type === 'question'
    ? { ...numbered, event: { ...numbered.event, question: withoutRightAnswer(numbered.event.question) } }
    : numbered;

/** Returns the state as `learner` receives it: without other learners, and without the right options of questions. */
export function visibleTo(state: ClassState, learner: string): ClassState {
  const own = state.learners[learner];
  return {
    ...state,
    learners: own ? { [learner]: own } : {},
    questions: state.questions.map((asked) => ({ ...asked, question: withoutRightAnswer(asked.question) })),
  };
}

/** Returns the name to display: the learner's name, or the text that `unnamed` returns for the number (`Learner 3`). */
export const learnerName = ({ name, number }: Learner, unnamed: (number: number) => string): string =>
  name ?? unnamed(number);

/**
 * Returns the time since which a learner has made no progress, in milliseconds since the Unix epoch. Returns undefined
 * for a learner who has neither a lesson step nor a task open.
 */
export function stuckSince({ place, activeAt, tasks }: Learner, state: ClassState): number | undefined {
  const inStep = place.lesson !== undefined && place.phase !== 'over';
  const last = state.tasks.at(-1);
  const inTask = last !== undefined && tasks[last.id]?.status !== 'done';
  return inStep || inTask ? activeAt : undefined;
}
