/** The debugger's buttons for the pod in view, and where it stands still. */
import type { PodTrack } from '@podscope/trace';
import { useSession } from '../run/node-session.ts';
import { useIsConnected } from '../run/use-run.ts';
import { openDebugDialog } from '../state/interface.ts';
import { selectSpan } from '../state/view-store.ts';
import { Button, IconButton } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import styles from './DebugBar.module.css';
import { pause, restartSync, resume, stepIn, stepOut, stepOver } from './debug-actions.ts';
import { useDebugState, useStop } from './use-debug.ts';

export function DebugBar({ pod: { uid, deletedAt } }: { readonly pod: PodTrack }) {
  const session = useSession();
  const connected = useIsConnected();
  const state = useDebugState();
  const stop = useStop(uid);
  if (!state) return null;
  const thread = stop?.thread ?? uid;
  const isStill = !connected || !stop;
  const count = state.breakpoints.length + state.filters.length;
  return (
    <div className={stop ? styles.stopped : styles.bar} role="toolbar" aria-label="Debugger">
      {stop ? (
        <IconButton icon="play" label="Continue" shortcut="F8" isDisabled={!connected} onPress={() => void resume(session, thread)} />
      ) : (
        <IconButton
          icon="pause"
          label="Pause at the next gate"
          shortcut="F8"
          isDisabled={!connected || deletedAt !== undefined}
          onPress={() => void pause(session, thread)}
        />
      )}
      <IconButton icon="stepOver" label="Step over" shortcut="F10" isDisabled={isStill} onPress={() => void stepOver(session, thread)} />
      <IconButton icon="stepIn" label="Step into" shortcut="F11" isDisabled={isStill} onPress={() => void stepIn(session, thread)} />
      <IconButton icon="stepOut" label="Step out" shortcut="Shift+F11" isDisabled={isStill} onPress={() => void stepOut(session, thread)} />
      <IconButton icon="restart" label="Restart the sync" isDisabled={isStill} onPress={() => void restartSync(session, thread)} />
      {stop && (
        <Button kind="quiet" icon="bolt" isDisabled={!connected} onPress={() => openDebugDialog('intervene')}>
          Intervene
        </Button>
      )}
      <span className={styles.where} role="status">
        {stop && (
          <button type="button" className={styles.place} onClick={() => selectSpan(stop.span)} title="Show where it stands">
            <Icon name="pause" size={12} />
            <span className={styles.text}>{stop.text}</span>
          </button>
        )}
      </span>
      <Button kind="quiet" icon="breakpoint" onPress={() => openDebugDialog('breakpoints')}>
        {count === 0 ? 'Breakpoints' : count === 1 ? '1 breakpoint' : `${count} breakpoints`}
      </Button>
    </div>
  );
}
