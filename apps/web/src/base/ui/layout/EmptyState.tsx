/** Renders a placeholder for a panel without content. It explains the reason and the next step. */
import type { ReactNode } from 'react';
import { Icon, type IconName } from '../marks/Icon.tsx';
import styles from './EmptyState.module.css';

interface EmptyStateProps {
  readonly icon?: IconName;
  readonly title: string;
  readonly children?: ReactNode;
  /** True while content is loading. Screen readers announce the text. */
  readonly busy?: boolean;
  /** True for a failure. Screen readers announce the text at once. */
  readonly alert?: boolean;
  /** The element of the heading: `h1` if the placeholder replaces a whole page. */
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
