/** Shows one SyncResult in a line. */
import type { SyncResultRecord } from '@podscope/trace';
import { cx } from '../../base/ui/marks/cx.ts';
import { StateMark } from '../../base/ui/marks/StateMark.tsx';
import { formatDuration } from '../../base/ui/text/format.ts';
import { shortId } from '../../base/ui/text/value-text.ts';
import { verdictOf } from '../../node/syncs/steps-model.ts';
import { InjectedBehind } from '../interventions/index.ts';
import styles from './SyncResultLine.module.css';

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
