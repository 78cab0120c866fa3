/** What people and faults did, newest first: each leads to the call it was done to. */
import type { InterventionRecord } from '@podscope/trace';
import { useT } from '../i18n/i18n.ts';
import { selectSpan } from '../state/view-store.ts';
import { formatClock } from '../ui/format.ts';
import { Icon } from '../ui/Icon.tsx';
import styles from './Inspector.module.css';
import { inspectorMessages } from './messages.en.ts';
import { Section } from './Section.tsx';

const shownOf = 10;

export function Interventions({ all }: { readonly all: readonly InterventionRecord[] }) {
  const t = useT();
  if (all.length === 0) return null;
  return (
    <Section title={t(inspectorMessages.interventions)} count={all.length}>
      <ul className={styles.instances}>
        {all
          .slice(-shownOf)
          .toReversed()
          .map(({ id, time, text, span }) => (
            <li key={id}>
              <button
                type="button"
                className={styles.instance}
                disabled={span === undefined}
                title={text}
                onClick={() => span !== undefined && selectSpan(span)}
              >
                <Icon name="bolt" size={12} />
                <span className={styles.clipped}>{text}</span>
                <span className={styles.quiet}>{formatClock(time, false)}</span>
              </button>
            </li>
          ))}
      </ul>
    </Section>
  );
}
