/** Decides whether an answer is right, from a run of the scene in which the question was asked. */
import type { TraceEvent } from '@podscope/trace';
import type { Question, Verdict } from './class-event.ts';

/** The moment of a run at which a question was asked. */
export interface AskedQuestion {
  readonly question: Question;
  /** Number of the last event before the question. */
  readonly seq: number;
  /** The run's clock at the question, in milliseconds since the Unix epoch. */
  readonly time: number;
  /** UID of the pod that the question is about; undefined if it is about any pod. */
  readonly pod: string | undefined;
}

/** The run so far. */
export interface JudgedRun {
  readonly events: readonly TraceEvent[];
}

/**
 * Returns the starts of the spans on the pod's worker; of all spans if the pod is undefined. Other threads continue
 * while the worker is stopped, so their spans don't count.
 */
const spanStarts = (events: readonly TraceEvent[], pod: string | undefined): readonly TraceEvent[] =>
  events.filter((event) => event.type === 'spanStarted' && (pod === undefined || event.thread === pod));

/** Returns the number of spans on the pod's worker that have begun up to an event. @param seq number of the event */
export const spansBegun = (events: readonly TraceEvent[], pod: string | undefined, seq: number): number =>
  spanStarts(events, pod).filter((event) => event.seq <= seq).length;

/**
 * Returns the moment of a question in a run of its scene. The question is asked right before the first span that hadn't
 * begun in the teacher's run; if no such span has begun yet, it is asked now. `events` and `now` are those of the run
 * up to the second of the scene.
 */
export function askedIn(
  question: Question,
  {
    events,
    now,
    pod,
  }: { readonly events: readonly TraceEvent[]; readonly now: number; readonly pod?: string | undefined },
): AskedQuestion {
  const spans = question.scene?.spans;
  const next = spans === undefined ? undefined : spanStarts(events, pod)[spans];
  return { question, pod, seq: next ? next.seq - 1 : (events.at(-1)?.seq ?? 0), time: next?.time ?? now };
}

/**
 * The tolerance for a predicted number of seconds, as a share of the actual number. A prediction that is off by at most
 * one second is always right.
 */
export const restartTolerance = 0.1;

/**
 * Returns the number of seconds from the question until a container of the pod starts; undefined while none has
 * started.
 */
function secondsToRestart({ question, seq, time, pod }: AskedQuestion, { events }: JudgedRun): number | undefined {
  const container = question.kind === 'restartIn' ? question.container : undefined;
  const start = events.find(
    (event) =>
      event.seq > seq &&
      event.type === 'kubernetesEvent' &&
      event.reason === 'Started' &&
      (pod === undefined || event.pod === pod) &&
      (container === undefined || event.container === container),
  );
  return start && Math.max(0, (start.time - time) / 1_000);
}

/** Returns the index of the option whose step began first; undefined while none has begun. */
function firstStep({ question, seq, pod }: AskedQuestion, { events }: JudgedRun): number | undefined {
  if (question.kind !== 'nextStep') return undefined;
  for (const event of events) {
    if (event.seq <= seq || event.type !== 'spanStarted' || (pod !== undefined && event.pod !== pod)) continue;
    const index = question.options.findIndex(({ point }) => point === event.point);
    if (index >= 0) return index;
  }
  return undefined;
}

/**
 * For each kind of question, in milliseconds of virtual time: how far the run is advanced between two checks for the
 * answer (`step`), and how far in total (`longest`).
 */
export const judgingTime = {
  nextStep: { step: 50, longest: 60_000 },
  restartIn: { step: 1_000, longest: 900_000 },
  choice: { step: 0, longest: 0 },
} as const;

/**
 * Returns the right answer to a question that the run decides; undefined until the run has decided. For a question that
 * doesn't depend on a run, returns the option that the teacher marked.
 */
export function actualAnswer(asked: AskedQuestion, run: JudgedRun): number | undefined {
  const { question } = asked;
  switch (question.kind) {
    case 'choice':
      return question.right;
    case 'nextStep':
      return firstStep(asked, run);
    case 'restartIn':
      return secondsToRestart(asked, run);
    default:
      return question satisfies never;
  }
}

/** Returns the verdict on an answer. @param actual the right answer; undefined if the run doesn't decide */
export function verdictOf({ kind }: Pick<Question, 'kind'>, answer: number, actual: number | undefined): Verdict {
  if (actual === undefined) return { right: null };
  if (kind !== 'restartIn') return { right: answer === actual, actual };
  return {
    right: Math.abs(actual - answer) <= Math.max(1, actual * restartTolerance),
    actual: Math.min(86_400, Math.round(actual * 10) / 10),
  };
}

/** Returns the verdict on an answer; undefined until the run has decided. */
export function judgeAnswer(asked: AskedQuestion, answer: number, run: JudgedRun): Verdict | undefined {
  const actual = actualAnswer(asked, run);
  return actual === undefined && asked.question.kind !== 'choice'
    ? undefined
    : verdictOf(asked.question, answer, actual);
}
