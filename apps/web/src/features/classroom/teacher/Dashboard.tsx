/** Renders the teacher's view of the class: how to join, all learners live, questions with bars, tasks, the report. */
import { tallyAnswers } from '@podscope/classroom';
import { useEffect, useState } from 'react';
import { useT } from '../../../base/i18n/i18n.ts';
import { Button } from '../../../base/ui/fields/Button.tsx';
import { CopyText } from '../../../base/ui/text/CopyText.tsx';
import { sendToClass } from '../client/class-client.ts';
import { useClass } from '../client/class-store.ts';
import { Bars } from '../shared/Bars.tsx';
import styles from '../shared/Classroom.module.css';
import { classMessages as texts } from '../shared/messages.en.ts';
import { TaskName } from '../shared/TaskName.tsx';
import { LearnersTable } from './LearnersTable.tsx';
import { QrCode } from './QrCode.tsx';
import { ReportButtons } from './ReportButtons.tsx';

/** Time without learners after which the page explains possible reasons, in milliseconds. */
const lateAfter = 60_000;

function JoinPanel() {
  const t = useT();
  const joinInfo = useClass((store) => store.joinInfo);
  const isEmpty = useClass(({ state }) => Object.keys(state.learners).length === 0);
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), lateAfter);
    return () => clearTimeout(timer);
  }, []);
  const [link = '', ...others] = joinInfo?.links ?? [];
  if (!joinInfo) return null;
  return (
    <section className={styles.card} aria-label={t(texts.howToJoin)}>
      <h2>{t(texts.howToJoin)}</h2>
      <QrCode text={link} label={t(texts.qrCode)} />
      <ul className={styles.links}>
        <li>
          <CopyText text={link} label={t(texts.copyLink)} />
        </li>
        {others.map((other) => (
          <li key={other}>
            <CopyText text={other} label={t(texts.copyLink)} />
          </li>
        ))}
      </ul>
      <p className={styles.note}>{t(texts.code)}</p>
      <p className={styles.code}>{joinInfo.code}</p>
      {joinInfo.insecure && <p className={styles.note}>{t(texts.insecureNote)}</p>}
      {isEmpty && isLate && (
        <p className={styles.warning} role="alert">
          {t(texts.nobodyJoins)}
        </p>
      )}
    </section>
  );
}

function Questions() {
  const t = useT();
  const state = useClass((store) => store.state);
  if (state.questions.length === 0) return <p className={styles.note}>{t(texts.noQuestions)}</p>;
  return state.questions.toReversed().map(({ question, isOpen, bars }) => {
    const tally = tallyAnswers(state, question.id);
    const answered = tally.reduce((sum, { count }) => sum + count, 0);
    return (
      <article key={question.id}>
        <h3>{question.text}</h3>
        <p className={styles.note}>{t(texts.answered, { count: answered, all: Object.keys(state.learners).length })}</p>
        <Bars question={question} bars={tally} />
        <p className={styles.group}>
          {isOpen && (
            <Button onPress={() => sendToClass({ type: 'closeQuestion', question: question.id })}>
              {t(texts.closeQuestion)}
            </Button>
          )}
          {!bars && state.endedAt === undefined && (
            <Button onPress={() => sendToClass({ type: 'reveal', question: question.id })}>{t(texts.showBars)}</Button>
          )}
        </p>
      </article>
    );
  });
}

function Tasks() {
  const t = useT();
  const state = useClass((store) => store.state);
  const learners = Object.values(state.learners);
  if (state.tasks.length === 0) return <p className={styles.note}>{t(texts.noTasks)}</p>;
  return (
    <ul className={styles.links}>
      {state.tasks.toReversed().map((task) => {
        const done = learners.filter(({ tasks }) => tasks[task.id]?.status === 'done').length;
        const failed = learners.filter(({ tasks }) => tasks[task.id]?.status === 'failed');
        return (
          <li key={task.id}>
            <TaskName task={task} />{' '}
            <span className={done === learners.length && done > 0 ? styles.done : styles.note}>
              {t(texts.completedBy, { done, count: learners.length })}
            </span>
            {failed.length > 0 && <span className={styles.stuck}> {t(texts.failedFor, { count: failed.length })}</span>}
          </li>
        );
      })}
    </ul>
  );
}

export function Dashboard() {
  const t = useT();
  const hasEnded = useClass(({ state }) => state.endedAt !== undefined);
  return (
    <main className={styles.dashboard} aria-label={t(texts.dashboard)}>
      {!hasEnded && <JoinPanel />}
      <section className={styles.card}>
        <h1>{t(texts.learners)}</h1>
        <LearnersTable />
      </section>
      <section className={styles.card}>
        {hasEnded && <p role="status">{t(texts.hasEnded)}</p>}
        <h2>{t(texts.tasks)}</h2>
        <Tasks />
        <h2>{t(texts.questions)}</h2>
        <Questions />
        <h2>{t(texts.report)}</h2>
        <ReportButtons />
      </section>
    </main>
  );
}
