/** Renders a colored label for a state. */
import type { ReactNode } from 'react';
import styles from './Chip.module.css';
import { cx } from './cx.ts';
import { StateMark, type Tone } from './StateMark.tsx';

export function Chip({
  tone,
  mark = true,
  children,
}: {
  readonly tone: Tone;
  readonly mark?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <span className={cx(styles.chip, styles[tone])}>
      {mark && <StateMark tone={tone} size={10} />}
      {children}
    </span>
  );
}
