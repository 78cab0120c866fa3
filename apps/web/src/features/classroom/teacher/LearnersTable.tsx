/** Lists the learners with their place, answers, task, time without progress and raised hand. */
import { type ClassState, type Learner, lessonQuestionId, stuckSince } from '@podscope/classroom';
import { useEffect, useState } from 'react';
import { useT } from '../../../base/i18n/i18n.ts';
import { Button } from '../../../base/ui/fields/Button.tsx';
import { cx } from '../../../base/ui/marks/cx.ts';
import { Icon } from '../../../base/ui/marks/Icon.tsx';
import { sendToClass } from '../client/class-client.ts';
import { useClass } from '../client/class-store.ts';
import styles from '../shared/Classroom.module.css';
import { useLessonTitles, useScenarioTitle } from '../shared/class-lessons.ts';
import { classMessages as texts } from '../shared/messages.en.ts';
import { watch } from './teach.ts';

/** Time without progress after which a learner counts as stuck, in seconds. */
const stuckAfter = 60;

function useServerNow(): number {
  const skew = useClass((store) => store.skew);
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return now + skew;
}

function usePlaceText(): (learner: Learner) => string {
  const t = useT();
  const lessonTitles = useLessonTitles();
  const scenarioTitle = useScenarioTitle();
  return ({ place: { lesson, scenario, pod } }) => {
    if (lesson) {
      const [title, stepTitle] = lessonTitles(lesson.id, lesson.stepId);
      const parts = [title, t(texts.step, { step: lesson.step + 1, count: lesson.steps }), stepTitle];
      return parts.filter((each) => each !== undefined).join(' · ');
    }
    return (
      [scenario && scenarioTitle(scenario), pod].filter((each) => each !== undefined).join(' · ') || t(texts.nowhere)
    );
  };
}

/** Returns the counts of right and wrong answers that the server judged. */
const answersOf = ({ answers }: Learner): { readonly right: number; readonly wrong: number } => {
  const verdicts = Object.values(answers).map(({ verdict }) => (verdict?.unverified ? null : verdict?.right));
  return {
    right: verdicts.filter((right) => right === true).length,
    wrong: verdicts.filter((right) => right === false).length,
  };
};

/** Shows the latest attempt at the exercise that the learner has open. */
function AttemptNote({ learner: { place, answers } }: { readonly learner: Learner }) {
  const t = useT();
  const given = place.lesson && answers[lessonQuestionId(place.lesson.id, place.lesson.stepId)];
  if (!given?.goals) return null;
  const { met, of: count } = given.goals;
  return <div className={styles.note}>{t(texts.attemptState, { attempt: given.answer, met, count })}</div>;
}

/** Opens the learner's run, or removes the learner after a confirmation: a removed learner can't join again. */
function Actions({ learner, name }: { readonly learner: Learner; readonly name: string }) {
  const t = useT();
  const [isRemoving, setRemoving] = useState(false);
  if (isRemoving)
    return (
      <span className={styles.group}>
        <Button kind="danger" onPress={() => sendToClass({ type: 'remove', learner: learner.id })}>
          {t(texts.removeLearner, { name })}
        </Button>
        <Button onPress={() => setRemoving(false)}>{t(texts.cancel)}</Button>
      </span>
    );
  return (
    <span className={styles.group}>
      <Button
        aria-label={t(texts.openRunOf, { name })}
        isDisabled={!learner.connected}
        onPress={() => watch(learner.id)}
      >
        <Icon name="shown" size={13} /> {t(texts.openRun)}
      </Button>
      <Button kind="quiet" aria-label={t(texts.removeLearner, { name })} onPress={() => setRemoving(true)}>
        <Icon name="close" size={13} />
      </Button>
    </span>
  );
}

interface RowProps {
  /** True for the columns with which the teacher opens a run or removes a learner. */
  readonly canManage: boolean;
  readonly learner: Learner;
  readonly state: ClassState;
  readonly now: number;
  readonly placeText: (learner: Learner) => string;
}

function Row({ canManage, learner, state, now, placeText }: RowProps) {
  const t = useT();
  const hasEnded = state.endedAt !== undefined;
  const since = hasEnded ? undefined : stuckSince(learner, state);
  const seconds = since === undefined ? 0 : Math.max(0, Math.floor((now - since) / 1_000));
  const { right, wrong } = answersOf(learner);
  const task = state.tasks.at(-1);
  const status = task && learner.tasks[task.id];
  const name = learner.name ?? t(texts.unnamed, { number: learner.number });
  return (
    <tr>
      <th scope="row">
        {name} {!learner.connected && !hasEnded && <span className={styles.note}>{t(texts.away)}</span>}
      </th>
      <td>{placeText(learner)}</td>
      <td>
        {t(texts.rightWrong, { right, wrong })}
        <AttemptNote learner={learner} />
      </td>
      <td title={status?.message}>{status ? t(texts.taskStatus, { status: status.status }) : ''}</td>
      <td className={cx(seconds >= stuckAfter && styles.stuck)}>
        {seconds >= stuckAfter ? t(texts.stuckFor, { minutes: Math.floor(seconds / 60), seconds: seconds % 60 }) : ''}
      </td>
      <td>
        {learner.handAt !== undefined && (
          <Button icon="hand" onPress={() => sendToClass({ type: 'lowerHand', learner: learner.id })}>
            {t(texts.lowerHand)}
          </Button>
        )}
      </td>
      {canManage && <td>{!hasEnded && <Actions learner={learner} name={name} />}</td>}
    </tr>
  );
}

/**
 * Learners with a raised hand come first, in the order in which they raised it. The other learners follow in the order
 * of their numbers.
 */
const order = (a: Learner, b: Learner): number =>
  (a.handAt ?? Number.MAX_SAFE_INTEGER) - (b.handAt ?? Number.MAX_SAFE_INTEGER) || a.number - b.number;

/** @param canManage false where no run can be opened, as in the presenter view */
export function LearnersTable({ canManage = true }: { readonly canManage?: boolean }) {
  const t = useT();
  const state = useClass((store) => store.state);
  const now = useServerNow();
  const placeText = usePlaceText();
  const learners = Object.values(state.learners).toSorted(order);
  if (learners.length === 0) return <p className={styles.note}>{t(texts.noLearners)}</p>;
  return (
    <div className={styles.scroll}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t(texts.name)}</th>
            <th scope="col">{t(texts.place)}</th>
            <th scope="col">{t(texts.answers)}</th>
            <th scope="col">{t(texts.task)}</th>
            <th scope="col">{t(texts.stuck)}</th>
            <th scope="col">{t(texts.hand)}</th>
            {canManage && <th scope="col">{t(texts.run)}</th>}
          </tr>
        </thead>
        <tbody>
          {learners.map((learner) => (
            <Row
              key={learner.id}
              canManage={canManage}
              learner={learner}
              state={state}
              now={now}
              placeText={placeText}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}
