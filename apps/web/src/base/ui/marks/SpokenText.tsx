/**
 * Renders text for screen readers only. An aria-label would replace the visible text; this text is read in addition to
 * it.
 */
import type { ReactNode } from 'react';
import styles from './SpokenText.module.css';

export function SpokenText({ children }: { readonly children: ReactNode }) {
  return <span className={styles.spoken}>{children}</span>;
}
