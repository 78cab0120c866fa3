/** Renders a keyboard shortcut. */
import { cx } from './cx.ts';
import styles from './Keys.module.css';

export function Keys({ keys, quiet = false }: { readonly keys: readonly string[]; readonly quiet?: boolean }) {
  if (keys.length === 0) return null;
  return (
    <span className={styles.keys}>
      {keys.map((key) => (
        <kbd key={key} className={cx(styles.key, quiet && styles.quiet)}>
          {key}
        </kbd>
      ))}
    </span>
  );
}
