/** Shows findings in addition to the diagnoses: states of containers, decisions and warnings. */
import type { PodExplanation, SyncExplanation } from '@podscope/trace/explain';
import { useT } from '../../base/i18n/i18n.ts';
import { Section } from '../../base/ui/layout/Section.tsx';
import { StateMark } from '../../base/ui/marks/StateMark.tsx';
import { formatClock } from '../../base/ui/text/format.ts';
import { DecisionList } from './decisions/DecisionList.tsx';
import styles from './Findings.module.css';
import { whyMessages } from './messages.en.ts';
import { translateText } from './translate-texts.ts';

function Sync({ sync }: { readonly sync: SyncExplanation }) {
  const t = useT();
  const { start, isOver, decisions, results, decidedBy } = sync;
  const isEmpty = decisions.length === 0 && results.length === 0;
  const empty =
    decidedBy === 'unknown' ? t(whyMessages.notComputed, { name: sync.function }) : t(whyMessages.nothingToDo);
  const title = t(isOver ? whyMessages.sync : whyMessages.openSync, { time: formatClock(start, false) });
  return (
    <Section title={title} count={decisions.length}>
      {isEmpty && <p className={styles.line}>{empty}</p>}
      {decidedBy === 'shadowEngine' && decisions.length > 0 && <p className={styles.line}>{t(whyMessages.computed)}</p>}
      <DecisionList decisions={decisions} />
      {results.length > 0 && (
        <ul className={styles.results}>
          {results.map(({ action, target, error, message }) => (
            <li key={`${action} ${target}`} className={styles.result}>
              <StateMark tone={error === undefined ? 'done' : 'error'} size={10} />
              <span>
                {action} <code>{target}</code>
                {error !== undefined && <strong className={styles.error}> {error}</strong>}
                {message && <span className={styles.message}> {message}</span>}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

/** Shows the state of containers, the decisions of the most relevant syncs, and warnings. */
export function Findings({ containers, syncs, warnings }: Pick<PodExplanation, 'containers' | 'syncs' | 'warnings'>) {
  const t = useT();
  return (
    <>
      {containers.length > 0 && (
        <Section title={t(whyMessages.containers)}>
          <ul className={styles.lines}>
            {containers.map((text) => (
              <li key={JSON.stringify(text)} className={styles.line}>
                {translateText(t, text)}
              </li>
            ))}
          </ul>
        </Section>
      )}
      {syncs.map((sync) => (
        <Sync key={sync.number} sync={sync} />
      ))}
      {warnings.length > 0 && (
        <Section title={t(whyMessages.warnings)} count={warnings.length}>
          <ul className={styles.lines}>
            {warnings.map(({ time, reason, message, count }) => (
              <li key={`${reason} ${message}`} className={styles.line}>
                <time className={styles.time}>{formatClock(time, false)}</time> <strong>{reason}</strong>
                {count > 1 && ` ×${count}`} {message}
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}
