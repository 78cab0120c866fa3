/** Moves through the run's time: a slider, steps back and forth, playback, and the way back to the present. */
import { useState } from 'react';
import { useT } from '../i18n/i18n.ts';
import { useSession } from '../run/node-session.ts';
import { useNodeInfo, useRunTime } from '../run/use-run.ts';
import { Button, IconButton } from '../ui/Button.tsx';
import { formatClock } from '../ui/format.ts';
import { NativeSelect } from '../ui/NativeSelect.tsx';
import { travelMessages as texts } from './messages.en.ts';
import styles from './Scrubber.module.css';
import { goReverseContinue, goStepBack, goStepForward, runAgainFromHere, travelTo, travelToTime, useIsPast, usePlayback, useTravel } from './use-travel.ts';

const speeds = [0.1, 0.5, 1, 5, 20, 100];

interface SliderProps {
  readonly isRecording: boolean;
  /** A hand is on it. */
  readonly onGrab: () => void;
}

/** The slider and the time it stands at: they follow the run, the buttons beside them do not. */
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
        value={isPast ? Math.round(now) : Math.ceil(last)}
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

export function Scrubber({ uid }: { readonly uid: string }) {
  const session = useSession();
  const t = useT();
  const isRecording = useNodeInfo()?.readOnly ?? false;
  const isPast = useIsPast();
  const [speed, setSpeed] = useState(1);
  const { isPlaying, setPlaying } = usePlayback(speed);
  const canRunAgain = useRunTime() !== undefined && !isRecording;
  return (
    <div className={isPast ? styles.past : styles.bar} role="toolbar" aria-label={t(texts.label)}>
      <IconButton icon="first" label={t(texts.toBeginning)} onPress={() => travelTo(session, session.run.history.firstSeq)} />
      <IconButton icon="reverse" label={t(texts.reverseContinue)} shortcut="Shift+F8" onPress={() => void goReverseContinue(session, uid)} />
      <IconButton icon="chevronLeft" label={t(texts.stepBack)} shortcut="Shift+F10" onPress={() => goStepBack(session, uid)} />
      <IconButton
        icon={isPlaying ? 'pause' : 'play'}
        label={t(isPlaying ? texts.stop : texts.play)}
        isDisabled={!isPast}
        onPress={() => setPlaying(!isPlaying)}
      />
      <IconButton icon="chevronRight" label={t(texts.stepForth)} isDisabled={!isPast} onPress={() => goStepForward(session, uid)} />
      <Slider isRecording={isRecording} onGrab={() => setPlaying(false)} />
      {isPast && (
        <>
          <NativeSelect
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
