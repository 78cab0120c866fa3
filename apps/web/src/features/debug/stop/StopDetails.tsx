/**
 * Shows the reason of the stop, the call stack and the variables of the chosen frame. Default export: loaded with the
 * first stop.
 */
import type { StoppedThread } from '@podscope/protocol';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useT } from '../../../base/i18n/i18n.ts';
import { Section } from '../../../base/ui/layout/Section.tsx';
import { cx } from '../../../base/ui/marks/cx.ts';
import { selectSpan } from '../../../node/address/view-store.ts';
import { pointTitle } from '../../../node/points/step-text.ts';
import { useSession } from '../../../node/run/node-session.ts';
import { describeStop } from '../describe-stop.ts';
import { HoldTimes, HoldWaiting } from './HoldDetails.tsx';
import { stopMessages as texts } from './messages.en.ts';
import styles from './StopPanel.module.css';
import { Scopes } from './Variables.tsx';
import { Watches } from './Watches.tsx';

/** Formats a location: file name and line. */
const shortSource = ({ path, line }: { readonly path: string; readonly line: number }): string =>
  `${path.split('/').at(-1)}:${line}`;

export default function StopDetails({ stop }: { readonly stop: StoppedThread }) {
  const { connection, run } = useSession();
  const t = useT();
  const [frame, setFrame] = useState<number>();
  const { thread } = stop;
  const stack = useQuery({
    queryKey: ['stackTrace', stop.stop],
    queryFn: ({ signal }) => connection.command<'stackTrace'>({ command: 'stackTrace', thread }, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const changes = useQuery({
    queryKey: ['changes', stop.stop],
    queryFn: ({ signal }) => connection.command<'changes'>({ command: 'changes', thread }, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const frames = stack.data?.frames ?? [];
  const chosen = frames.find(({ id }) => id === frame) ?? frames[0];
  return (
    <div className={styles.panel}>
      <header className={styles.head}>
        <h2 className={styles.title}>{t(texts.stopped, { phase: stop.phase })}</h2>
        <p className={styles.text}>{describeStop(t, stop)}</p>
        <HoldTimes stop={stop} />
      </header>
      <HoldWaiting stop={stop} />
      <Section title={t(texts.callStack)} count={frames.length}>
        <ol className={styles.frames} aria-label={t(texts.callStack)}>
          {frames.map(({ id, name, source, upstream }) => (
            <li key={id}>
              <button
                type="button"
                className={cx(styles.frame, id === chosen?.id && styles.chosen)}
                aria-pressed={id === chosen?.id}
                title={upstream && t(texts.upstream, { name: upstream })}
                onClick={() => {
                  setFrame(id);
                  selectSpan(id);
                }}
              >
                <span className={styles.name}>{pointTitle(t, run.span(id)?.point ?? '', name)}</span>
                {source && (
                  <span className={styles.source}>
                    <bdi>{shortSource(source)}</bdi>
                  </span>
                )}
              </button>
            </li>
          ))}
        </ol>
      </Section>
      {chosen && (
        <Section title={t(texts.variables)}>
          <Scopes key={`${stop.stop}.${chosen.id}`} thread={thread} frame={chosen.id} stop={stop.stop} />
        </Section>
      )}
      {chosen && (
        <Section title={t(texts.watch)}>
          <Watches thread={thread} frame={chosen.id} stop={stop.stop} />
        </Section>
      )}
      {changes.data && changes.data.changes.length > 0 && (
        <Section title={t(texts.changedSince)} count={changes.data.changes.length} isOpen={false}>
          <ul className={styles.changes}>
            {changes.data.changes.map(({ path, before, after }) => (
              <li key={path}>
                <code>{path}</code>
                <span className={styles.before}>{before ?? t(texts.absent)}</span> →{' '}
                <span>{after ?? t(texts.absent)}</span>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </div>
  );
}
