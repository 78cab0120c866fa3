/** Reports the learner's place and answers in lessons to the class server. */
import { classLimits, filedLesson, lessonQuestionId, type Place, taskLessonId } from '@podscope/classroom';
import { useView } from '../../../node/address/view-store.ts';
import { ownSession, useOpenNode } from '../../../node/run/open-node.ts';
import { type GivenLesson, isSameSource, type LessonState, stepOf, useLesson } from '../../lessons/index.ts';
import { sendToClass } from '../client/class-client.ts';

/** Time during which changes are collected into one report, in milliseconds. */
const gather = 150;

/** The lesson that the latest task with a text has opened. */
let sent: { readonly source: GivenLesson; readonly task: string } | undefined;

/** Reports the open lesson with this text as the lesson of a task. */
export const reportLessonOfTask = (source: GivenLesson, task: string): void => {
  sent = { source, task };
};

/** Returns the id that the class uses for the open lesson. */
function lessonIdOf({ lesson, source }: LessonState): string {
  if (!source) return lesson?.id ?? filedLesson;
  return sent && isSameSource(source, sent.source) ? taskLessonId(sent.task) : filedLesson;
}

/** Returns the id of the question of the open step; undefined if the class doesn't have the lesson. */
function questionOf(state: LessonState): string | undefined {
  const step = stepOf(state);
  const id = lessonIdOf(state);
  return step && id !== filedLesson ? lessonQuestionId(id, step.id) : undefined;
}

function placeNow(): Place {
  const lessonState = useLesson.getState();
  const { lesson, step, phase } = lessonState;
  const current = stepOf(lessonState);
  const { covered, options } = useOpenNode.getState();
  const run = ownSession().connection.node?.run;
  const pod = covered ? covered.view.pod : useView.getState().pod;
  return {
    ...(lesson && current
      ? {
          lesson: {
            id: lessonIdOf(lessonState),
            step,
            stepId: current.id,
            steps: lesson.steps.length,
          },
          phase,
        }
      : {}),
    ...(run === undefined ? {} : { run }),
    ...(options?.scenario === undefined ? {} : { scenario: options.scenario }),
    ...(pod === undefined ? {} : { pod }),
  };
}

/** Reports the answer to a lesson's question, and the verdict of the lesson player. */
function reportAnswer(): void {
  const state = useLesson.getState();
  const step = stepOf(state);
  const { answer, right, phase } = state;
  const question = questionOf(state);
  if (question === undefined || !step?.question || answer === undefined) return;
  sendToClass({ type: 'answered', question, answer });
  if (phase !== 'over') return;
  const verdict = right === undefined ? { right: null } : { right: right === answer, actual: right };
  sendToClass({ type: 'judged', question, verdict });
}

/** Reports an attempt at an exercise. The server plays it and judges its goals. */
function reportAttempt(): void {
  const state = useLesson.getState();
  const step = stepOf(state);
  const { attempt } = state;
  const question = questionOf(state);
  if (question !== undefined && step?.exercise && attempt && attempt.manifest.length <= classLimits.document)
    sendToClass({ type: 'attempted', question, manifest: attempt.manifest });
}

/** Starts reporting. Returns a function that stops it. */
export function reportPlace(): () => void {
  let reported = '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  const report = (): void => {
    timer = undefined;
    const place = placeNow();
    const text = JSON.stringify(place);
    if (text === reported) return;
    reported = text;
    sendToClass({ type: 'moved', place });
  };
  const soon = (): void => {
    timer ??= setTimeout(report, gather);
  };
  let stopConnection = (): void => undefined;
  // The connection learns the id of a run after the session with the run begins.
  const followConnection = (): void => {
    stopConnection();
    stopConnection = ownSession().connection.subscribe(soon);
    soon();
  };
  followConnection();
  const ends = [
    useLesson.subscribe((now, before) => {
      soon();
      if (now.answer !== before.answer || now.right !== before.right || now.phase !== before.phase) reportAnswer();
      if (now.attempt !== before.attempt) reportAttempt();
    }),
    useOpenNode.subscribe(followConnection),
    () => stopConnection(),
    useView.subscribe(soon),
  ];
  return () => {
    clearTimeout(timer);
    for (const end of ends) end();
  };
}
