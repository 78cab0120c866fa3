/** Renders the presenter view: notes, next step and class, for a second screen. */
import type { Task } from '@podscope/lessons';
import { useEffect, useRef, useState } from 'react';
import { useT } from '../../../base/i18n/i18n.ts';
import { Button } from '../../../base/ui/fields/Button.tsx';
import { addressedClass } from '../../../node/address/address.ts';
import { LessonText } from '../../lessons/index.ts';
import { followPresentation, type Presented, type PresenterEnd } from '../link/presenter-link.ts';
import { classMessages as texts } from '../shared/messages.en.ts';
import { LearnersTable } from '../teacher/LearnersTable.tsx';
import { teach } from '../teacher/teach.ts';
import styles from './PresenterView.module.css';

function Class() {
  const t = useT();
  useEffect(() => teach(false), []);
  return (
    <section className={styles.card}>
      <h2>{t(texts.class)}</h2>
      <LearnersTable canManage={false} />
    </section>
  );
}

/** The goals and hints of an exercise, and the text for learners who met the goals. */
function TaskNotes({ task }: { readonly task: Task }) {
  const t = useT();
  return (
    <>
      <h2>{t(texts.goals)}</h2>
      <ul>
        {task.goals.map((goal) => (
          <li key={goal}>
            <LessonText>{goal}</LessonText>
          </li>
        ))}
      </ul>
      {task.hints.length > 0 && (
        <>
          <h2>{t(texts.hints)}</h2>
          <ol>
            {task.hints.map((hint) => (
              <li key={hint}>
                <LessonText>{hint}</LessonText>
              </li>
            ))}
          </ol>
        </>
      )}
      <h2>{t(texts.explanation)}</h2>
      <LessonText>{task.explanation}</LessonText>
    </>
  );
}

export function PresenterView() {
  const t = useT();
  const [shown, setShown] = useState<Presented>();
  const end = useRef<PresenterEnd>(undefined);
  useEffect(() => {
    const link = followPresentation(setShown);
    end.current = link;
    return () => link.close();
  }, []);
  const { lesson, step: index = 0, phase = 'ready' } = shown ?? {};
  const step = lesson?.steps[index];
  const next = lesson?.steps[index + 1];
  const isBusy = phase === 'setting' || phase === 'playing';
  return (
    <main className={styles.presenter} aria-label={t(texts.presenterTitle)}>
      <h1 className={styles.title}>{t(texts.presenterTitle)}</h1>
      {step ? (
        <>
          <section className={styles.card}>
            <h2>
              {t(texts.now)}: {lesson?.title}, {t(texts.step, { step: index + 1, count: lesson?.steps.length ?? 0 })}
            </h2>
            <h3>{step.title}</h3>
            <p className={styles.controls}>
              <Button isDisabled={index === 0} onPress={() => end.current?.go(-1)}>
                {t(texts.goBack)}
              </Button>
              <Button
                kind="primary"
                isDisabled={!step.scene || (phase !== 'ready' && phase !== 'stopped')}
                onPress={() => end.current?.go(0)}
              >
                {t(phase === 'stopped' ? texts.continue : texts.runStep)}
              </Button>
              <Button isDisabled={!next || isBusy} onPress={() => end.current?.go(1)}>
                {t(texts.next)}
              </Button>
            </p>
            {step.notes !== undefined && (
              <>
                <h2>{t(texts.notes)}</h2>
                <LessonText>{step.notes}</LessonText>
              </>
            )}
            <h2>{t(texts.lessonText)}</h2>
            <LessonText>{step.body}</LessonText>
            {step.question && (
              <>
                <p>
                  <strong>{step.question.text}</strong>
                </p>
                <ul>
                  {step.question.options.map((option) => (
                    <li key={option}>{option}</li>
                  ))}
                </ul>
                <h2>{t(texts.explanation)}</h2>
                <LessonText>{step.question.explanation}</LessonText>
              </>
            )}
            {step.task && <TaskNotes task={step.task} />}
          </section>
          <section className={styles.card}>
            <h2>{t(texts.nextStep)}</h2>
            {next ? (
              <>
                <h3>{next.title}</h3>
                <LessonText>{next.body}</LessonText>
              </>
            ) : (
              <p>{t(texts.lastStep)}</p>
            )}
          </section>
        </>
      ) : (
        <p>{t(texts.presenterWaits)}</p>
      )}
      {addressedClass?.role === 'teacher' && <Class />}
    </main>
  );
}
