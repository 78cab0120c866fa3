/**
 * Text for screen readers only. It is part of the content instead of an aria-label, so that visible text is read too.
 */
import type { ReactNode } from 'react';
import styles from './SpokenText.module.css';

export function SpokenText({ children }: { readonly children: ReactNode }) {
  return <span className={styles.spoken}>{children}</span>;
}
