/** All breakpoints: where it stops, on what condition, and what stops without a place. Default export: loaded when first opened. */
import { type BreakpointSpec, type BreakpointState, type ExceptionFilter, exceptionFilters } from '@podscope/protocol';
import { useState } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { useSession } from '../run/node-session.ts';
import { closeDebugDialog, useInterface } from '../state/interface.ts';
import { Button, IconButton } from '../ui/Button.tsx';
import { cx } from '../ui/cx.ts';
import { Icon } from '../ui/Icon.tsx';
import { BreakpointForm } from './BreakpointForm.tsx';
import styles from './Dialog.module.css';
import { removeAllBreakpoints, removeBreakpoint, saveBreakpoint, toggleFilter } from './debug-actions.ts';
import { describeBreakpoint } from './describe-breakpoint.ts';
import { useBreakpoints, useDebugState, usePoints } from './use-debug.ts';

/** What a list row says of a filter: the part before the colon is its name. */
const filterRows = Object.entries(exceptionFilters).map(([filter, text]) => {
  const [name = '', explanation = ''] = text.split(/: (.*)/s);
  return { filter: filter as ExceptionFilter, name, explanation };
});

function Row({ breakpoint, onEdit }: { readonly breakpoint: BreakpointState; readonly onEdit: () => void }) {
  const session = useSession();
  const points = usePoints();
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
          aria-label={`Enable ${place}`}
        />
        <span className={cx(styles.dot, !verified && styles.unverified, spec.logMessage !== undefined && styles.log)} aria-hidden="true" />
        <span className={styles.words}>
          <span>{place}</span>
          {details !== '' && <span className={styles.details}>{details}</span>}
          {message && <span className={styles.problem}>{message}</span>}
        </span>
      </label>
      <span className={styles.hits}>{hits === 1 ? '1 hit' : `${hits} hits`}</span>
      <IconButton icon="edit" label={`Edit ${place}`} onPress={onEdit} />
      <IconButton icon="trash" label={`Remove ${place}`} onPress={() => void removeBreakpoint(session, id)} />
    </li>
  );
}

function Content() {
  const session = useSession();
  const state = useDebugState();
  const breakpoints = useBreakpoints();
  const [editing, setEditing] = useState<{ readonly id: number | undefined; readonly spec: BreakpointSpec | undefined }>();
  if (editing) return <BreakpointForm key={editing.id} id={editing.id} spec={editing.spec} onDone={() => setEditing(undefined)} />;
  return (
    <>
      <section aria-label="Breakpoints">
        {breakpoints.length === 0 ? (
          <p className={styles.empty}>None yet. Click the dot beside a step, or add one for any place of the flow.</p>
        ) : (
          <ul className={styles.list}>
            {breakpoints.map((breakpoint) => (
              <Row key={breakpoint.id} breakpoint={breakpoint} onEdit={() => setEditing({ id: breakpoint.id, spec: breakpoint.spec })} />
            ))}
          </ul>
        )}
        <div className={styles.actions}>
          <Button icon="plus" onPress={() => setEditing({ id: undefined, spec: undefined })}>
            Add a breakpoint
          </Button>
          {breakpoints.length > 0 && (
            <Button kind="quiet" onPress={() => void removeAllBreakpoints(session)}>
              Remove all
            </Button>
          )}
        </div>
      </section>
      <section aria-labelledby="filters-heading">
        <h3 id="filters-heading" className={styles.heading}>
          Stop without naming a place
        </h3>
        <ul className={styles.list}>
          {filterRows.map(({ filter, name, explanation }) => (
            <li key={filter} className={styles.row}>
              <label className={styles.check}>
                <input
                  type="checkbox"
                  aria-label={name}
                  checked={state?.filters.some((each) => each.filter === filter) ?? false}
                  onChange={() => void toggleFilter(session, filter)}
                />
                <span className={styles.words}>
                  <span>{name}</span>
                  <span className={styles.details}>{explanation}</span>
                </span>
              </label>
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}

export default function BreakpointsDialog() {
  const isOpen = useInterface(({ debugDialog }) => debugDialog === 'breakpoints');
  return (
    <ModalOverlay className={styles.veil} isOpen={isOpen} onOpenChange={(open) => !open && closeDebugDialog()} isDismissable>
      <Modal className={styles.modal}>
        <Dialog className={styles.dialog}>
          <header className={styles.head}>
            <Icon name="breakpoint" />
            <Heading slot="title" className={styles.title}>
              Breakpoints
            </Heading>
            <IconButton icon="close" label="Close" onPress={closeDebugDialog} />
          </header>
          <div className={styles.body}>
            <Content />
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
