/**
 * Breakpoints that the address brought: set at once where only this page's own run stops by them, asked about where pods of a server would.
 * Default export: loaded when the address has some.
 */
import { useEffect } from 'react';
import { create } from 'zustand';
import { readSource } from '../../alone/source-address.ts';
import { translate, useT } from '../../i18n/i18n.ts';
import { type NodeSession, useSession } from '../../run/node-session.ts';
import { useOpenNode } from '../../run/open-node.ts';
import { isRecording, refusalOf } from '../../run/refusal.ts';
import { notify } from '../../state/interface.ts';
import { useView } from '../../state/view-store.ts';
import { Button } from '../../ui/Button.tsx';
import { PageDialog } from '../../ui/PageDialog.tsx';
import { type LinkedBreakpoints as Linked, missingOf } from '../breakpoint-link.ts';
import styles from '../Dialog.module.css';
import { attempt } from '../debug-actions.ts';
import { pageGroup } from '../debug-store.ts';
import { useDebugState, usePoints } from '../use-debug.ts';
import { describeBreakpoint } from './describe-breakpoint.ts';
import { breakpointMessages as texts } from './messages.en.ts';

/** What the address brought is taken up once, whatever is set or removed later. */
const useLinked = create<{ readonly isDone: boolean }>()(() => ({ isDone: false }));
const finish = (): void => useLinked.setState({ isDone: true });

const countOf = ({ breakpoints, filters }: Linked): number => breakpoints.length + filters.length;

/** Adds what is not there yet; what is there keeps its number and its hits. */
async function addMissing({ debug }: NodeSession, linked: Linked): Promise<void> {
  const { state } = debug;
  if (!state) return;
  const { breakpoints, filters } = missingOf(linked, state);
  const own = state.breakpoints.filter(({ group }) => group === pageGroup).map(({ spec }) => spec);
  const done = await attempt(async () => {
    if (breakpoints.length > 0) await debug.setBreakpoints([...own, ...breakpoints]);
    if (filters.length > 0) await debug.setFilters([...state.filters, ...filters]);
  });
  if (done) notify('info', translate(texts.linkedSet, { count: breakpoints.length + filters.length }));
}

export default function LinkedBreakpoints({ linked }: { readonly linked: Linked }) {
  const t = useT();
  const session = useSession();
  const state = useDebugState();
  const points = usePoints();
  const wanted = useView(({ run }) => run);
  const shown = useOpenNode(({ keptRun }) => keptRun);
  const isDone = useLinked((state) => state.isDone);
  const isReady = state !== undefined && !isDone && (wanted === undefined || wanted === shown || wanted === session.connection.node?.run);
  const refusal = isReady ? refusalOf(session, 'breakpoints') : undefined;
  const missing = isReady ? missingOf(linked, state) : undefined;
  const isOwn = readSource(location.search, import.meta.env.MODE === 'site').kind === 'page' || isRecording(session.connection.node);
  const isSettled = missing !== undefined && (countOf(missing) === 0 || refusal !== undefined || isOwn);
  useEffect(() => {
    if (!isSettled) return;
    finish();
    if (!missing || countOf(missing) === 0) return;
    if (refusal) notify('info', translate(texts.linkedRefused, { count: countOf(missing), reason: translate(refusal) }));
    else void addMissing(session, missing);
  }, [isSettled, missing, refusal, session]);
  if (!missing || isSettled) return null;
  const add = (): void => {
    finish();
    void addMissing(session, linked);
  };
  return (
    <PageDialog title={t(texts.linkedTitle, { count: countOf(missing) })} icon="breakpoint" onClose={() => finish()}>
      <div className={styles.body}>
        <p>{t(texts.linkedNote)}</p>
        <ul className={styles.list}>
          {missing.breakpoints.map((spec) => {
            const { place, details } = describeBreakpoint(spec, points?.points ?? []);
            return (
              <li key={JSON.stringify(spec)} className={styles.row}>
                <span className={styles.words}>
                  <span>{place}</span>
                  {details !== '' && <span className={styles.details}>{details}</span>}
                </span>
              </li>
            );
          })}
          {missing.filters.map(({ filter, condition }) => (
            <li key={filter} className={styles.row}>
              <span className={styles.words}>
                <span>{t(texts[filter])}</span>
                {condition !== undefined && <span className={styles.details}>{condition}</span>}
              </span>
            </li>
          ))}
        </ul>
        <div className={styles.actions}>
          <Button kind="primary" icon="plus" onPress={add}>
            {t(texts.linkedAdd)}
          </Button>
          <Button kind="quiet" onPress={() => finish()}>
            {t(texts.linkedLeave)}
          </Button>
        </div>
      </div>
    </PageDialog>
  );
}
