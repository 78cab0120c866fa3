/** Renders the form of an exercise: the manifest, the goals with their results, and hints. */
import type { Task } from '@podscope/lessons';
import { useState } from 'react';
import { useT } from '../../../base/i18n/i18n.ts';
import { Button } from '../../../base/ui/fields/Button.tsx';
import { cx } from '../../../base/ui/marks/cx.ts';
import { SpokenText } from '../../../base/ui/marks/SpokenText.tsx';
import { StateMark } from '../../../base/ui/marks/StateMark.tsx';
import { LazyCodeView } from '../../editor/index.ts';
import { lessonMessages as texts } from '../messages.en.ts';
import { stepOf, useLesson } from '../player/lesson-store.ts';
import { attempt as runAttempt } from '../player/play-lesson.ts';
import styles from './ExerciseForm.module.css';
import { LessonText } from './LessonText.tsx';

function Goals({ goals }: { readonly goals: readonly string[] }) {
  const t = useT();
  const met = useLesson(({ attempt, phase }) => (phase === 'playing' ? undefined : attempt?.goals));
  return (
    <section aria-label={t(texts.goals)}>
      <h3 className={styles.heading}>{t(texts.goals)}</h3>
      <ul className={styles.goals}>
        {goals.map((goal, index) => {
          const isMet = met?.[index];
          return (
            <li key={goal} className={styles.goal}>
              <StateMark tone={isMet === undefined ? 'pending' : isMet ? 'done' : 'error'} size={12} />
              <LessonText>{goal}</LessonText>
              {isMet !== undefined && <SpokenText>{t(isMet ? texts.met : texts.notMet)}</SpokenText>}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function Hints({ hints }: { readonly hints: readonly string[] }) {
  const t = useT();
  const [shown, setShown] = useState(0);
  return (
    <>
      {shown > 0 && (
        <section aria-label={t(texts.hints)} aria-live="polite" className={styles.hints}>
          {hints.slice(0, shown).map((hint) => (
            <LessonText key={hint}>{hint}</LessonText>
          ))}
        </section>
      )}
      {shown < hints.length && (
        <Button kind="quiet" onPress={() => setShown(shown + 1)}>
          {t(texts.hint, { left: hints.length - shown })}
        </Button>
      )}
    </>
  );
}

/** Shows how the latest attempt ended. */
function Result() {
  const t = useT();
  const { attempt, phase } = useLesson();
  if (!attempt || phase === 'playing') return null;
  const isMet = phase === 'over';
  return (
    <div role="status" className={cx(styles.result, isMet ? styles.right : styles.wrong)}>
      <p className={styles.judged}>
        <StateMark tone={isMet ? 'done' : 'error'} size={12} />
        {attempt.errors.length > 0
          ? t(texts.notApplied)
          : t(isMet ? texts.repaired : texts.notRepaired, { number: attempt.number })}
      </p>
      {attempt.errors.length > 0 && (
        <ul className={styles.errors} aria-label={t(texts.manifestErrors)}>
          {attempt.errors.map(({ line, message }) => (
            <li key={`${line ?? ''} ${message}`}>
              {line === undefined ? '' : `${line}: `}
              {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

export function ExerciseForm({ task }: { readonly task: Task }) {
  const t = useT();
  const state = useLesson();
  const { manifest = '', phase, attempt } = state;
  const seconds = stepOf(state)?.exercise?.seconds ?? 0;
  const [text, setText] = useState(manifest);
  const isOpen = phase === 'ready';
  const apply = (): void => void runAttempt(text);
  const faults =
    attempt?.manifest === text
      ? attempt.errors.map(({ line, column, message }) => ({ line, column, message }))
      : undefined;
  return (
    <div className={styles.exercise}>
      <div className={styles.code}>
        <LazyCodeView
          label={t(texts.manifest)}
          text={text}
          onChange={setText}
          onSubmit={apply}
          {...(faults ? { faults } : {})}
          fallback={<p className={styles.loading}>{t(texts.loadingEditor)}</p>}
        />
      </div>
      <div className={styles.buttons}>
        <Button kind="primary" isDisabled={!isOpen} onPress={apply}>
          {t(phase === 'playing' ? texts.playing : texts.apply, { seconds })}
        </Button>
        <Button isDisabled={!isOpen || text === manifest} onPress={() => setText(manifest)}>
          {t(texts.reset)}
        </Button>
      </div>
      <Goals goals={task.goals} />
      <Result />
      {phase === 'over' ? (
        <div className={styles.text}>
          <LessonText>{task.explanation}</LessonText>
        </div>
      ) : (
        <Hints hints={task.hints} />
      )}
    </div>
  );
}
