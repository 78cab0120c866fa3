/**
 * Adds the breakpoints in the page's address: at once for the page's own run, and after a confirmation for the pods of
 * a server. Default export: loaded if the address contains breakpoints.
 */
import { useEffect } from 'react';
import { create } from 'zustand';
import { translate, useT } from '../../../base/i18n/i18n.ts';
import { notify } from '../../../base/notices/notices.ts';
import { Button } from '../../../base/ui/fields/Button.tsx';
import { PageDialog } from '../../../base/ui/layout/PageDialog.tsx';
import { engineOptions, isPageSource } from '../../../node/address/address.ts';
import { type LinkedBreakpoints as Linked, missingOf } from '../../../node/address/breakpoint-link.ts';
import { useView } from '../../../node/address/view-store.ts';
import { attempt } from '../../../node/debugger/debug-actions.ts';
import { useDebugState, usePoints } from '../../../node/debugger/use-debug.ts';
import { pageGroup } from '../../../node/run/debug-store.ts';
import { type NodeSession, useSession } from '../../../node/run/node-session.ts';
import { useOpenNode } from '../../../node/run/open-node.ts';
import { isRecording, refusalOf } from '../../../node/run/refusal.ts';
import styles from '../Dialog.module.css';
import { describeBreakpoint } from './describe-breakpoint.ts';
import { breakpointMessages as texts } from './messages.en.ts';

/**
 * True after the breakpoints in the link have been handled. They are handled only once, even if the address changes.
 */
const useLinked = create<{ readonly isDone: boolean }>()(() => ({ isDone: false }));
const finish = (): void => useLinked.setState({ isDone: true });

const countOf = ({ breakpoints, filters }: Linked): number => breakpoints.length + filters.length;

/** Adds the breakpoints that the node doesn't have yet. Existing ones keep their ids and hit counts. */
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

/**
 * Starts the virtual time of the page's own run, which was paused until the link's breakpoints were set. First, the
 * virtual time that the link names passes at once. Then the run continues, unless the link requests a paused run.
 */
async function releaseTime({ connection }: NodeSession): Promise<void> {
  if (!engineOptions) return;
  const { time, paused } = engineOptions;
  try {
    if (time !== undefined) await connection.command({ command: 'stepTime', milliseconds: time * 1_000 });
    if (!paused) await connection.command({ command: 'setTime', paused: false });
  } catch {
    // No action is needed, because the connection banner reports the failure.
  }
}

export default function LinkedBreakpoints({ linked }: { readonly linked: Linked }) {
  const t = useT();
  const session = useSession();
  const state = useDebugState();
  const points = usePoints();
  const wanted = useView(({ run }) => run);
  const shown = useOpenNode(({ savedRun }) => savedRun);
  const isDone = useLinked((state) => state.isDone);
  const isReady =
    state !== undefined &&
    !isDone &&
    (wanted === undefined || wanted === shown || wanted === session.connection.node?.run);
  const refusal = isReady ? refusalOf(session, 'breakpoints') : undefined;
  const missing = isReady ? missingOf(linked, state) : undefined;
  const isOwn = isPageSource || isRecording(session.connection.node);
  const isSettled = missing !== undefined && (countOf(missing) === 0 || refusal !== undefined || isOwn);
  useEffect(() => {
    if (!isSettled) return;
    finish();
    if (!missing || countOf(missing) === 0) {
      void releaseTime(session);
      return;
    }
    if (refusal)
      notify('info', translate(texts.linkedRefused, { count: countOf(missing), reason: translate(refusal) }));
    else void addMissing(session, missing).then(() => releaseTime(session));
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
