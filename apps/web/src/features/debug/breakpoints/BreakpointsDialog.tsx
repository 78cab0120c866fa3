/** Lists breakpoints and exception filters. Default export: loaded when first opened. */
import { type BreakpointState, type ExceptionFilter, exceptionFilters } from '@podscope/protocol';
import { useT } from '../../../base/i18n/i18n.ts';
import { Button, IconButton } from '../../../base/ui/fields/Button.tsx';
import { PageDialog } from '../../../base/ui/layout/PageDialog.tsx';
import { cx } from '../../../base/ui/marks/cx.ts';
import {
  removeAllBreakpoints,
  removeBreakpoint,
  saveBreakpoint,
  toggleFilter,
} from '../../../node/debugger/debug-actions.ts';
import { useBreakpoints, useDebugState, usePoints } from '../../../node/debugger/use-debug.ts';
import { useSession } from '../../../node/run/node-session.ts';
import { closeDialog, editBreakpoint, useInterface } from '../../../node/view/interface.ts';
import styles from '../Dialog.module.css';
import { BreakpointForm } from './BreakpointForm.tsx';
import { describeBreakpoint } from './describe-breakpoint.ts';
import { breakpointMessages as texts } from './messages.en.ts';

const filters = Object.keys(exceptionFilters) as ExceptionFilter[];

function Row({ breakpoint, onEdit }: { readonly breakpoint: BreakpointState; readonly onEdit: () => void }) {
  const session = useSession();
  const points = usePoints();
  const t = useT();
  const { id, spec, verified, message, hits } = breakpoint;
  const enabled = spec.enabled !== false;
  const { place, details } = describeBreakpoint(spec, points?.points ?? []);
  return (
    <li className={cx(styles.row, !enabled && styles.off)}>
      <label className={styles.check}>
        <input
          type="checkbox"
          checked={enabled}
          onChange={() => void saveBreakpoint(session, { ...spec, enabled: !enabled }, id)}
          aria-label={t(texts.enable, { place })}
        />
        <span
          className={cx(styles.dot, !verified && styles.unverified, spec.logMessage !== undefined && styles.log)}
          aria-hidden="true"
        />
        <span className={styles.words}>
          <span>{place}</span>
          {details !== '' && <span className={styles.details}>{details}</span>}
          {message && <span className={verified ? styles.details : styles.problem}>{message}</span>}
        </span>
      </label>
      <span className={styles.hits}>{t(texts.hits, { count: hits })}</span>
      <IconButton icon="edit" label={t(texts.edit, { place })} onPress={onEdit} />
      <IconButton icon="trash" label={t(texts.remove, { place })} onPress={() => void removeBreakpoint(session, id)} />
    </li>
  );
}

function Filters() {
  const session = useSession();
  const state = useDebugState();
  const t = useT();
  return (
    <section aria-labelledby="filters-heading">
      <h3 id="filters-heading" className={styles.heading}>
        {t(texts.filters)}
      </h3>
      <ul className={styles.list}>
        {filters.map((filter) => (
          <li key={filter} className={styles.row}>
            <label className={styles.check}>
              <input
                type="checkbox"
                aria-label={t(texts[filter])}
                checked={state?.filters.some((each) => each.filter === filter) ?? false}
                onChange={() => void toggleFilter(session, filter)}
              />
              <span className={styles.words}>
                <span>{t(texts[filter])}</span>
                <span className={styles.details}>{t(texts[`${filter}Note`])}</span>
              </span>
            </label>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Content() {
  const session = useSession();
  const breakpoints = useBreakpoints();
  const t = useT();
  const edited = useInterface(({ editedBreakpoint }) => editedBreakpoint);
  if (edited)
    return (
      <BreakpointForm key={edited.id} id={edited.id} spec={edited.spec} onDone={() => editBreakpoint(undefined)} />
    );
  return (
    <>
      <section aria-label={t(texts.title)}>
        {breakpoints.length === 0 ? (
          <p className={styles.empty}>{t(texts.none)}</p>
        ) : (
          <ul className={styles.list}>
            {breakpoints.map((breakpoint) => (
              <Row
                key={breakpoint.id}
                breakpoint={breakpoint}
                onEdit={() => editBreakpoint({ id: breakpoint.id, spec: breakpoint.spec })}
              />
            ))}
          </ul>
        )}
        <div className={styles.actions}>
          <Button icon="plus" onPress={() => editBreakpoint({ id: undefined, spec: undefined })}>
            {t(texts.add)}
          </Button>
          {breakpoints.length > 0 && (
            <Button kind="quiet" onPress={() => void removeAllBreakpoints(session)}>
              {t(texts.removeAll)}
            </Button>
          )}
        </div>
      </section>
      <Filters />
    </>
  );
}

export default function BreakpointsDialog() {
  const t = useT();
  return (
    <PageDialog title={t(texts.title)} icon="breakpoint" onClose={closeDialog}>
      <div className={styles.body}>
        <Content />
      </div>
    </PageDialog>
  );
}
