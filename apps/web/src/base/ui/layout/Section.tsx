/** Renders a section that can be folded. */
import { type ReactNode, useId, useState } from 'react';
import { Twist } from '../marks/Twist.tsx';
import styles from './Section.module.css';

interface SectionProps {
  readonly title: string;
  readonly count?: number;
  readonly action?: ReactNode;
  readonly isOpen?: boolean;
  readonly children: ReactNode;
}

export function Section({ title, count, action, isOpen: initially = true, children }: SectionProps) {
  const [isOpen, setOpen] = useState(initially);
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div className={styles.head}>
        <h3 id={id} className={styles.heading}>
          <button type="button" className={styles.button} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            <Twist isOpen={isOpen} isSmall />
            {title}
            {count !== undefined && <span className={styles.count}>{count}</span>}
          </button>
        </h3>
        {isOpen && action}
      </div>
      {isOpen && <div className={styles.body}>{children}</div>}
    </section>
  );
}
