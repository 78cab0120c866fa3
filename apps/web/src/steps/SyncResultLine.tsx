/** One SyncResult in a line: what was done to what, and how it went. */
import type { SyncResultRecord } from '@podscope/trace';
import { InjectedBehind } from '../inspector/Injected.tsx';
import { shortId } from '../inspector/value-text.ts';
import { cx } from '../ui/cx.ts';
import { formatDuration } from '../ui/format.ts';
import { StateMark } from '../ui/StateMark.tsx';
import styles from './SyncResultLine.module.css';
import { verdictOf } from './steps-model.ts';

const tones = { done: 'done', failed: 'error', postponed: 'waiting' } as const;

export function SyncResultLine({ result }: { readonly result: SyncResultRecord }) {
  const { action, target, error, message, duration } = result;
  const verdict = verdictOf([result]);
  return (
    <div className={styles.line}>
      <span className={styles.mark}>
        <StateMark tone={tones[verdict]} size={10} />
      </span>
      <span className={styles.action}>{action}</span>
      <code className={styles.target} title={target}>
        {shortId(target)}
      </code>
      {error !== undefined && <span className={cx(styles.error, styles[verdict])}>{error}</span>}
      <InjectedBehind text={message} span={result.span} />
      {message && (
        <span className={styles.message} title={message}>
          {message}
        </span>
      )}
      {duration !== undefined && <span className={styles.duration}>{formatDuration(duration)}</span>}
    </div>
  );
}
