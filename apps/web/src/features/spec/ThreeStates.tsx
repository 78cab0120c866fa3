/** Renders the table of desired, allocated and observed state. */
import type { PodTrack } from '@podscope/trace';
import { useMemo } from 'react';
import { useT } from '../../base/i18n/i18n.ts';
import { EmptyState } from '../../base/ui/layout/EmptyState.tsx';
import { cx } from '../../base/ui/marks/cx.ts';
import { SpokenText } from '../../base/ui/marks/SpokenText.tsx';
import { StateMark, type Tone } from '../../base/ui/marks/StateMark.tsx';
import { specMessages } from './messages.en.ts';
import { showField } from './spec-target.ts';
import styles from './ThreeStates.module.css';
import { type StateRow, type StateVerdict, threeStates } from './three-states.ts';

const marks: Readonly<
  Record<NonNullable<StateVerdict>, { readonly tone: Tone; readonly message: keyof typeof specMessages }>
> = {
  same: { tone: 'done', message: 'same' },
  notAllocated: { tone: 'waiting', message: 'notYetAllocated' },
  notObserved: { tone: 'progressing', message: 'notYetObserved' },
};

const isDifferent = ({ verdict }: StateRow): boolean => verdict === 'notAllocated' || verdict === 'notObserved';

function Row({ row }: { readonly row: StateRow }) {
  const t = useT();
  const { field, path, desired, allocated, observed, verdict } = row;
  const mark = verdict && marks[verdict];
  return (
    <tr className={cx(isDifferent(row) && styles.different)}>
      <th scope="row">
        <button type="button" className={styles.field} title={path} onClick={() => showField(path)}>
          {field}
        </button>
      </th>
      <td>{desired}</td>
      <td className={cx(verdict === 'notAllocated' && styles.changed)}>{allocated}</td>
      <td className={cx(verdict === 'notObserved' && styles.changed)}>{observed}</td>
      <td className={styles.verdict} title={mark && t(specMessages[mark.message])}>
        {mark && (
          <>
            <span className={cx(verdict !== 'same' && styles.attention)}>
              <StateMark tone={mark.tone} size={10} />
            </span>
            <SpokenText>{t(specMessages[mark.message])}</SpokenText>
          </>
        )}
      </td>
    </tr>
  );
}

export function ThreeStates({
  pod,
  version,
  differencesOnly,
}: {
  readonly pod: PodTrack;
  readonly version: number;
  readonly differencesOnly: boolean;
}) {
  const t = useT();
  const groups = useMemo(() => {
    // The pod's record is updated in place. Reading `version` makes this memo compute again after each update.
    if (version < 0) return [];
    const all = threeStates(pod, {
      running: t(specMessages.running),
      waiting: (reason) => (reason ? t(specMessages.waitingFor, { reason }) : t(specMessages.waiting)),
      ended: (code) => (code === 0 ? t(specMessages.ended) : t(specMessages.endedWith, { code })),
    });
    return differencesOnly
      ? all.map((group) => ({ ...group, rows: group.rows.filter(isDifferent) })).filter(({ rows }) => rows.length > 0)
      : all;
  }, [pod, version, t, differencesOnly]);
  if (groups.length === 0)
    return (
      <EmptyState icon="check" title={t(specMessages.noDifference)}>
        {t(specMessages.allSame)}
      </EmptyState>
    );
  return (
    // A scrollable element must be focusable.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={styles.scroller} role="region" tabIndex={0} aria-label={t(specMessages.table, { name: pod.name })}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t(specMessages.field)}</th>
            <th scope="col">{t(specMessages.desired)}</th>
            <th scope="col">{t(specMessages.allocated)}</th>
            <th scope="col">{t(specMessages.observed)}</th>
            <th scope="col" className={styles.verdict}>
              <SpokenText>{t(specMessages.verdict)}</SpokenText>
            </th>
          </tr>
        </thead>
        {groups.map(({ container, rows }) => (
          <tbody key={container ?? ''}>
            <tr className={styles.group}>
              <th colSpan={5} scope="rowgroup">
                {container ?? t(specMessages.pod)}
              </th>
            </tr>
            {rows.map((row) => (
              <Row key={row.field} row={row} />
            ))}
          </tbody>
        ))}
      </table>
    </div>
  );
}
