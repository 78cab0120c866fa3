/** Reports the learner's place and answers in lessons to the class server. */
import { classLimits, lessonQuestionId, type Place } from '@podscope/classroom';
import { useView } from '../../../node/address/view-store.ts';
import { useOpenNode } from '../../../node/run/open-node.ts';
import { stepOf, useLesson } from '../../lessons/index.ts';
import { sendToClass } from '../client/class-client.ts';

/** Time during which changes are collected into one report, in milliseconds. */
const gather = 150;

function placeNow(): Place {
  const lessonState = useLesson.getState();
  const { lesson, step, phase } = lessonState;
  const current = stepOf(lessonState);
  const { covered, options } = useOpenNode.getState();
  const pod = covered ? covered.view.pod : useView.getState().pod;
  return {
    ...(lesson && current
      ? {
          lesson: {
            id: lesson.id,
            title: lesson.title.slice(0, 200),
            step,
            stepId: current.id,
            stepTitle: current.title.slice(0, 200),
            steps: lesson.steps.length,
          },
          phase,
        }
      : {}),
    ...(options?.scenario === undefined ? {} : { scenario: options.scenario }),
    ...(pod === undefined ? {} : { pod }),
  };
}

/** Reports the answer to a lesson's question, and the verdict of the lesson player. */
function reportAnswer(): void {
  const state = useLesson.getState();
  const step = stepOf(state);
  const { lesson, answer, right, phase } = state;
  if (!lesson || !step) return;
  const question = lessonQuestionId(lesson.id, step.id);
  if (!step.question || answer === undefined) return;
  sendToClass({ type: 'answered', question, answer });
  if (phase !== 'over') return;
  const verdict = right === undefined ? { right: null } : { right: right === answer, actual: right };
  sendToClass({ type: 'judged', question, verdict });
}

/** Reports an attempt at an exercise. The server plays it and judges its goals. */
function reportAttempt(): void {
  const state = useLesson.getState();
  const step = stepOf(state);
  const { lesson, attempt } = state;
  if (lesson && step?.exercise && attempt && attempt.manifest.length <= classLimits.document)
    sendToClass({ type: 'attempted', question: lessonQuestionId(lesson.id, step.id), manifest: attempt.manifest });
}

/** Starts reporting. Returns a function that stops it. */
export function reportPlace(): () => void {
  let sent = '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  const report = (): void => {
    timer = undefined;
    const place = placeNow();
    const text = JSON.stringify(place);
    if (text === sent) return;
    sent = text;
    sendToClass({ type: 'moved', place });
  };
  const soon = (): void => {
    timer ??= setTimeout(report, gather);
  };
  soon();
  const ends = [
    useLesson.subscribe((now, before) => {
      soon();
      if (now.answer !== before.answer || now.right !== before.right || now.phase !== before.phase) reportAnswer();
      if (now.attempt !== before.attempt) reportAttempt();
    }),
    useOpenNode.subscribe(soon),
    useView.subscribe(soon),
  ];
  return () => {
    clearTimeout(timer);
    for (const end of ends) end();
  };
}
