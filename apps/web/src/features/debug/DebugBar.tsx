/** Renders the debugger buttons for the selected pod, and the place where it is stopped. */
import type { PodTrack } from '@podscope/trace';
import { useT } from '../../base/i18n/i18n.ts';
import { Button, IconButton } from '../../base/ui/fields/Button.tsx';
import { Icon } from '../../base/ui/marks/Icon.tsx';
import { SpokenText } from '../../base/ui/marks/SpokenText.tsx';
import { selectSpan } from '../../node/address/view-store.ts';
import {
  cancelPause,
  pause,
  restartSync,
  resume,
  resumeAll,
  stepIn,
  stepOut,
  stepOver,
} from '../../node/debugger/debug-actions.ts';
import { useDebugState, useStop } from '../../node/debugger/use-debug.ts';
import { useSession } from '../../node/run/node-session.ts';
import { useRefusal } from '../../node/run/refusal.ts';
import { usePodValue } from '../../node/run/use-run.ts';
import { openDialog } from '../../node/view/interface.ts';
import styles from './DebugBar.module.css';
import { describeStop } from './describe-stop.ts';
import { debugMessages as texts } from './messages.en.ts';
import { HoldCountdown } from './stop/HoldCountdown.tsx';

/** Commands of the buttons for a stopped thread. */
const steps = [
  { icon: 'stepOver', label: texts.stepOver, shortcut: 'F10', step: stepOver },
  { icon: 'stepIn', label: texts.stepIn, shortcut: 'F11', step: stepIn },
  { icon: 'stepOut', label: texts.stepOut, shortcut: 'Shift+F11', step: stepOut },
  { icon: 'restart', label: texts.restartSync, shortcut: undefined, step: restartSync },
] as const;

export function DebugBar({ pod: { uid } }: { readonly pod: PodTrack }) {
  const session = useSession();
  const refusal = useRefusal('present');
  const breakpointRefusal = useRefusal('breakpoints');
  const listRefusal = useRefusal();
  const state = useDebugState();
  const stop = useStop(uid);
  const isGone = usePodValue(uid, (pod) => pod?.deletedAt !== undefined);
  const t = useT();
  if (!state) return null;
  const thread = stop?.thread ?? uid;
  const faults = state.faults.length + state.held.length;
  const isPausing = !stop && state.pausing.includes(uid);
  // Show the button only if other pods are stopped; otherwise Continue does the same.
  const hasOthers = state.stopped.some(({ thread: other }) => other !== stop?.thread);
  return (
    <div className={stop ? styles.stopped : styles.bar} role="toolbar" aria-label={t(texts.label)}>
      {stop ? (
        <IconButton
          icon="play"
          label={t(texts.continue)}
          shortcut="F8"
          refusal={refusal}
          onPress={() => void resume(session, thread)}
        />
      ) : isPausing ? (
        <IconButton
          icon="close"
          label={t(texts.cancelPause)}
          shortcut="F8"
          refusal={refusal}
          onPress={() => void cancelPause(session, thread)}
        />
      ) : (
        <IconButton
          icon="pause"
          label={t(texts.pause)}
          shortcut="F8"
          refusal={refusal}
          isDisabled={isGone}
          onPress={() => void pause(session, thread)}
        />
      )}
      {steps.map(({ icon, label, shortcut, step }) => (
        <IconButton
          key={icon}
          icon={icon}
          label={t(label)}
          {...(shortcut === undefined ? {} : { shortcut })}
          refusal={refusal}
          isDisabled={!stop}
          onPress={() => void step(session, thread)}
        />
      ))}
      {stop && (
        <Button kind="quiet" icon="bolt" refusal={refusal} onPress={() => openDialog('intervene')}>
          {t(texts.intervene)}
        </Button>
      )}
      <span role="status">
        {stop && <SpokenText>{describeStop(t, stop)}</SpokenText>}
        {isPausing && <SpokenText>{t(texts.pausing)}</SpokenText>}
      </span>
      <span className={styles.where}>
        {isPausing && (
          <span className={styles.pausing} aria-hidden="true">
            <span className={styles.pulse} />
            <span className={styles.text}>{t(texts.pausing)}</span>
          </span>
        )}
        {stop && (
          <button
            type="button"
            className={styles.place}
            onClick={() => selectSpan(stop.span)}
            title={t(texts.showPlace)}
          >
            <Icon name="pause" size={12} />
            <span className={styles.text}>{describeStop(t, stop)}</span>
          </button>
        )}
        {stop && <HoldCountdown stop={stop} className={styles.countdown ?? ''} />}
      </span>
      <span className={styles.lists}>
        {hasOthers && (
          <Button kind="quiet" icon="play" refusal={refusal} onPress={() => void resumeAll(session)}>
            {t(texts.continueAll, { count: state.stopped.length })}
          </Button>
        )}
        {faults > 0 && (
          <Button kind="quiet" icon="bolt" refusal={listRefusal} onPress={() => openDialog('faults')}>
            {t(texts.faults, { count: faults })}
          </Button>
        )}
        <Button kind="quiet" icon="breakpoint" refusal={breakpointRefusal} onPress={() => openDialog('breakpoints')}>
          {t(texts.count, { count: state.breakpoints.length + state.filters.length })}
        </Button>
      </span>
    </div>
  );
}
