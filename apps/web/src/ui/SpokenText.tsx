/** Words for screen readers only. They stand in the text instead of in an aria-label, so that what is seen is also what is said. */
import type { ReactNode } from 'react';
import styles from './SpokenText.module.css';

export function SpokenText({ children }: { readonly children: ReactNode }) {
  return <span className={styles.spoken}>{children}</span>;
}
