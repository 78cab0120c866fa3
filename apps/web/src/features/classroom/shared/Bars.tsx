/** Shows how often each answer was given, and which one is right. */
import type { Question, Tally } from '@podscope/classroom';
import { useT } from '../../../base/i18n/i18n.ts';
import { SpokenText } from '../../../base/ui/marks/SpokenText.tsx';
import { StateMark } from '../../../base/ui/marks/StateMark.tsx';
import { answerText, optionsOf } from './answer-text.ts';
import styles from './Classroom.module.css';
import { classMessages as texts } from './messages.en.ts';

interface BarsProps {
  readonly question: Question;
  readonly bars: readonly Tally[];
}

export function Bars({ question, bars }: BarsProps) {
  const t = useT();
  const options = optionsOf(question);
  const all: readonly Tally[] = options
    ? options.map((_option, answer) => bars.find((bar) => bar.answer === answer) ?? { answer, count: 0, right: null })
    : bars;
  const most = Math.max(1, ...all.map(({ count }) => count));
  return (
    <ul className={styles.bars} aria-label={t(texts.answers)}>
      {all.map(({ answer, count, right }) => (
        <li key={answer} className={styles.barRow}>
          <span className={styles.barLabel}>
            {right !== null && <StateMark tone={right ? 'done' : 'error'} size={11} />}
            {right !== null && <SpokenText>{t(right ? texts.isRight : texts.isWrong)}</SpokenText>}
            {answerText(question, answer)}
          </span>
          <meter className={styles.meter} min={0} max={most} value={count} aria-label={answerText(question, answer)} />
          <span className={styles.count}>{count}</span>
        </li>
      ))}
    </ul>
  );
}
