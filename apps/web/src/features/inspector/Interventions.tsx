/** Lists interventions of users and faults, newest first, with links to the calls. */
import type { InterventionRecord } from '@podscope/trace';
import { useT } from '../../base/i18n/i18n.ts';
import { Section } from '../../base/ui/layout/Section.tsx';
import { Icon } from '../../base/ui/marks/Icon.tsx';
import { formatClock } from '../../base/ui/text/format.ts';
import { selectSpan } from '../../node/address/view-store.ts';
import styles from './Inspector.module.css';
import { inspectorMessages } from './messages.en.ts';

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
