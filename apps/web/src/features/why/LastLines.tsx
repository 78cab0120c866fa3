/** Shows the end of a container's log beside the diagnosis of its exit. */
import { useT } from '../../base/i18n/i18n.ts';
import styles from './Causes.module.css';
import { whyMessages } from './messages.en.ts';

/** Number of lines to show: enough for the message of a panic without its stack. */
const shownLines = 3;

export function LastLines({ container, log }: { readonly container: string; readonly log: string }) {
  const t = useT();
  const lines = log.split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0) return null;
  return (
    <pre className={styles.log} aria-label={t(whyMessages.lastLines, { container })}>
      {lines.slice(-shownLines).join('\n')}
    </pre>
  );
}
