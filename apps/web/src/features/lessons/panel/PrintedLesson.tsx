/** Renders a lesson for printing, with its notes for teachers at the end. Default export: loaded when first used. */
import type { Lesson, LessonStep } from '@podscope/lessons';
import { useEffect, useEffectEvent } from 'react';
import { createPortal } from 'react-dom';
import { useT } from '../../../base/i18n/i18n.ts';
import { lessonMessages as texts } from '../messages.en.ts';
import { LessonText } from './LessonText.tsx';
import styles from './PrintedLesson.module.css';

function Step({ step: { title, body, question, task } }: { readonly step: LessonStep }) {
  return (
    <section>
      <h2>{title}</h2>
      <LessonText>{body}</LessonText>
      {question && <p className={styles.question}>{question.text}</p>}
      {(question || task) && (
        <ul className={styles.options}>
          {(question?.options ?? task?.goals ?? []).map((option) => (
            <li key={option}>
              <LessonText>{option}</LessonText>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Shows what learners see only after their answer, and the notes. */
function Notes({ step: { title, notes, question, task } }: { readonly step: LessonStep }) {
  const explanation = question?.explanation ?? task?.explanation;
  if (notes === undefined && explanation === undefined) return null;
  return (
    <section>
      <h3>{title}</h3>
      {notes !== undefined && <LessonText>{notes}</LessonText>}
      {task?.hints.map((hint) => (
        <LessonText key={hint}>{hint}</LessonText>
      ))}
      {explanation !== undefined && <LessonText>{explanation}</LessonText>}
    </section>
  );
}

interface PrintedLessonProps {
  readonly lesson: Lesson;
  /** Called when the lesson was printed, or the user canceled it. */
  readonly onPrinted: () => void;
}

export default function PrintedLesson({ lesson, onPrinted }: PrintedLessonProps) {
  const t = useT();
  const over = useEffectEvent(onPrinted);
  useEffect(() => {
    const printed = (): void => over();
    addEventListener('afterprint', printed);
    print();
    return () => removeEventListener('afterprint', printed);
  }, []);
  const { title, summary, steps } = lesson;
  return createPortal(
    <article className={styles.printed} data-printed="" aria-hidden="true">
      <h1>{title}</h1>
      <p>{summary}</p>
      {steps.map((step) => (
        <Step key={step.id} step={step} />
      ))}
      <div className={styles.notes}>
        <h2>{t(texts.teacherNotes)}</h2>
        {steps.map((step) => (
          <Notes key={step.id} step={step} />
        ))}
      </div>
    </article>,
    document.body,
  );
}
