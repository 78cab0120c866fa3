/** Lists the fields of the pod's status that changed during a span of the pod's worker. */
import type { SpanRecord } from '@podscope/trace';
import { useMemo } from 'react';
import { useT } from '../../../base/i18n/i18n.ts';
import { Section } from '../../../base/ui/layout/Section.tsx';
import { SpokenText } from '../../../base/ui/marks/SpokenText.tsx';
import { valueDifferences } from '../../../node/pods/value-differences.ts';
import { useSession } from '../../../node/run/node-session.ts';
import { inspectorMessages as texts } from '../messages.en.ts';
import styles from './StatusChange.module.css';
import { StatusDuring } from './status-during.ts';

/** Matches times that change together with the fields that they belong to. */
const times = /\.last\w+Time$/;

/** Maximum number of listed fields. The first status of a pod sets nearly all fields. */
const most = 24;

export function StatusChange({ span }: { readonly span: SpanRecord }) {
  const { run } = useSession();
  const t = useT();
  const { pod, thread, startSeq, endSeq } = span;
  const { history } = run;
  const statuses = useMemo(
    // During a span of another thread, changes of the status have other causes.
    () => (pod === undefined || thread !== pod ? undefined : new StatusDuring(history, pod, startSeq)),
    [history, pod, thread, startSeq],
  );
  const after = statuses?.upTo(endSeq ?? run.fold.lastSeq);
  const before = statuses?.before;
  const changes = useMemo(() => (after === before ? [] : valueDifferences(before, after, times)), [before, after]);
  if (changes.length === 0) return null;
  return (
    <Section title={t(texts.statusChange)} count={changes.length}>
      <ul className={styles.changes}>
        {changes.slice(0, most).map(({ path, before, after }) => (
          <li key={path}>
            <SpokenText>
              {before === undefined
                ? t(texts.statusSet, { path, after: after ?? '' })
                : after === undefined
                  ? t(texts.statusRemoved, { path, before })
                  : t(texts.statusChanged, { path, before, after })}
            </SpokenText>
            <span aria-hidden="true">
              <span className={styles.path}>{path}</span>
              {before !== undefined && <del className={styles.before}>{before}</del>}
              {after !== undefined && <ins className={styles.after}>{after}</ins>}
            </span>
          </li>
        ))}
      </ul>
      {changes.length > most && <p className={styles.more}>{t(texts.moreFields, { count: changes.length - most })}</p>}
    </Section>
  );
}
