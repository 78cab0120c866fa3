/** Renders the time travel bar: slider, steps, playback, and the button that returns to the present. */
import { useState } from 'react';
import { useT } from '../../base/i18n/i18n.ts';
import { Button, IconButton } from '../../base/ui/fields/Button.tsx';
import { Select } from '../../base/ui/fields/Select.tsx';
import { formatClock } from '../../base/ui/text/format.ts';
import { useSession } from '../../node/run/node-session.ts';
import { useNodeInfo, useRunTime } from '../../node/run/use-run.ts';
import { travelMessages as texts } from '../../node/travel/messages.en.ts';
import {
  goReverseContinue,
  goStepBack,
  goStepForward,
  runAgainFromHere,
  travelTo,
  travelToTime,
  useIsPast,
  usePlayback,
  useTravel,
} from '../../node/travel/use-travel.ts';
import styles from './Scrubber.module.css';

const speeds = [0.1, 0.5, 1, 5, 20, 100];

interface SliderProps {
  readonly isRecording: boolean;
  /** Called when the user begins to drag the slider. */
  readonly onGrab: () => void;
}

/**
 * Renders the slider and its time. They are a separate component, so that the buttons beside them don't render again
 * while the run advances.
 */
function Slider({ isRecording, onGrab }: SliderProps) {
  const session = useSession();
  const t = useT();
  const { start, end, now, isPast } = useTravel();
  const last = Math.max(end, start + 1);
  const instant = isPast ? formatClock(now) : t(isRecording ? texts.end : texts.now);
  return (
    <>
      <input
        className={styles.slider}
        type="range"
        min={Math.floor(start)}
        max={Math.ceil(last)}
        step={1}
        value={isPast ? Math.floor(now) : Math.ceil(last)}
        aria-label={t(texts.instant)}
        aria-valuetext={instant}
        onChange={({ target }) => {
          onGrab();
          travelToTime(session, Number(target.value));
        }}
      />
      <span className={styles.instant}>{instant}</span>
    </>
  );
}

/** @param uid the pod whose steps the buttons follow; without it, they are disabled */
export function Scrubber({ uid }: { readonly uid?: string }) {
  const session = useSession();
  const t = useT();
  const isRecording = useNodeInfo()?.readOnly ?? false;
  const isPast = useIsPast();
  const [speed, setSpeed] = useState(1);
  const { isPlaying, setPlaying } = usePlayback(speed);
  const canRunAgain = useRunTime() !== undefined && !isRecording;
  return (
    <div className={isPast ? styles.past : styles.bar} role="toolbar" aria-label={t(texts.label)}>
      <IconButton
        icon="first"
        label={t(texts.toBeginning)}
        onPress={() => travelTo(session, session.run.history.firstSeq)}
      />
      <IconButton
        icon="reverse"
        label={t(texts.reverseContinue)}
        shortcut="Shift+F8"
        isDisabled={uid === undefined}
        onPress={() => uid !== undefined && void goReverseContinue(session, uid)}
      />
      <IconButton
        icon="chevronLeft"
        label={t(texts.stepBack)}
        shortcut="Shift+F10"
        isDisabled={uid === undefined}
        onPress={() => uid !== undefined && goStepBack(session, uid)}
      />
      <IconButton
        icon={isPlaying ? 'pause' : 'play'}
        label={t(isPlaying ? texts.stop : texts.play)}
        isDisabled={!isPast}
        onPress={() => setPlaying(!isPlaying)}
      />
      <IconButton
        icon="chevronRight"
        label={t(texts.stepForward)}
        isDisabled={!isPast || uid === undefined}
        onPress={() => uid !== undefined && goStepForward(session, uid)}
      />
      <Slider isRecording={isRecording} onGrab={() => setPlaying(false)} />
      {isPast && (
        <>
          <Select
            label={t(texts.speed)}
            value={String(speed)}
            options={speeds.map((each) => ({ id: String(each), label: `×${each}` }))}
            onChange={(id) => setSpeed(Number(id))}
          />
          {canRunAgain && (
            <Button icon="restart" onPress={() => void runAgainFromHere(session)}>
              {t(texts.runAgain)}
            </Button>
          )}
          <Button kind="primary" icon="last" onPress={() => travelTo(session, undefined)}>
            {t(isRecording ? texts.toEnd : texts.live)}
          </Button>
        </>
      )}
    </div>
  );
}
