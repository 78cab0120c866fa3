/** Renders a placeholder for a panel without content. It explains the reason and the next step. */
import type { ReactNode } from 'react';
import { Icon, type IconName } from '../marks/Icon.tsx';
import styles from './EmptyState.module.css';

interface EmptyStateProps {
  readonly icon?: IconName;
  readonly title: string;
  readonly children?: ReactNode;
  /** True while loading; announced to screen readers. */
  readonly busy?: boolean;
  /** True for a failure; announced to screen readers at once. */
  readonly alert?: boolean;
  /** `h1` when it replaces a whole page. */
  readonly heading?: 'h1' | 'p';
}

export function EmptyState({ icon, title, children, busy, alert, heading: Title = 'p' }: EmptyStateProps) {
  return (
    <div className={styles.empty} role={busy ? 'status' : alert ? 'alert' : undefined}>
      {busy ? <span className={styles.spinner} /> : icon && <Icon name={icon} size={20} />}
      <Title className={styles.title}>{title}</Title>
      {children && <div className={styles.body}>{children}</div>}
    </div>
  );
}
