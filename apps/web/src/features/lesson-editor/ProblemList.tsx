/** Renders the problems of the lesson that is being written, in the language of the page. */
import { useT } from '../../base/i18n/i18n.ts';
import { StateMark } from '../../base/ui/marks/StateMark.tsx';
import { translateLessonProblem } from '../lessons/index.ts';
import type { DraftCheck } from './draft/check-draft.ts';
import styles from './LessonEditor.module.css';
import { editorMessages as texts } from './messages.en.ts';

export function ProblemList({ problems }: Pick<DraftCheck, 'problems'>) {
  const t = useT();
  return (
    <section className={styles.problems} aria-label={t(texts.problems)} aria-live="polite">
      {problems.length === 0 ? (
        <p className={styles.good}>
          <StateMark tone="done" size={12} /> {t(texts.noProblems)}
        </p>
      ) : (
        <ul>
          {problems
            .map(({ file, problem }) => translateLessonProblem(t, problem, file))
            .map((text) => (
              <li key={text}>{text}</li>
            ))}
        </ul>
      )}
    </section>
  );
}
