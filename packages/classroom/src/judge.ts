/** Decides whether an answer is right, from the run of the learner who gave it. */
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

/** Returns the verdict on an answer; undefined until the run has decided. */
export function judgeAnswer(asked: AskedQuestion, answer: number, run: JudgedRun): Verdict | undefined {
  const { question } = asked;
  switch (question.kind) {
    case 'choice':
      return question.right === undefined
        ? { right: null }
        : { right: answer === question.right, actual: question.right };
    case 'nextStep': {
      const actual = firstStep(asked, run);
      return actual === undefined ? undefined : { right: actual === answer, actual };
    }
    case 'restartIn': {
      const seconds = secondsToRestart(asked, run);
      if (seconds === undefined) return undefined;
      return {
        right: Math.abs(seconds - answer) <= Math.max(1, seconds * restartTolerance),
        actual: Math.min(86_400, Math.round(seconds * 10) / 10),
      };
    }
    default:
      return question satisfies never;
  }
}
