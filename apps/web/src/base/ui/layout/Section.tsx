/** Section that can be folded. */
import { type ReactNode, useId, useState } from 'react';
import { cx } from '../marks/cx.ts';
import { Icon } from '../marks/Icon.tsx';
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
            <span className={cx(styles.twist, isOpen && styles.open)}>
              <Icon name="chevronRight" size={11} />
            </span>
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
