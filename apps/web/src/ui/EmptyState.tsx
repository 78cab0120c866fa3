/** What a panel says when it has nothing to show: what is going on, and what to do. */
import type { ReactNode } from 'react';
import styles from './EmptyState.module.css';
import { Icon, type IconName } from './Icon.tsx';

interface EmptyStateProps {
  readonly icon?: IconName;
  readonly title: string;
  readonly children?: ReactNode;
  /** True while it is about to change: screen readers are told. */
  readonly busy?: boolean;
  /** True when it says what went wrong: screen readers are told at once. */
  readonly alert?: boolean;
  /** Where it stands in for a whole page, its title is the page's heading. */
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
