/** Moves through the run's time: a slider, steps back and forth, playback, and the way back to the present. */
import { useState } from 'react';
import { readSource } from '../alone/source-address.ts';
import { useSession } from '../run/node-session.ts';
import { useRunTime } from '../run/use-run.ts';
import { Button, IconButton } from '../ui/Button.tsx';
import { formatClock } from '../ui/format.ts';
import { NativeSelect } from '../ui/NativeSelect.tsx';
import styles from './Scrubber.module.css';
import { goReverseContinue, goStepBack, goStepForward, runAgainFromHere, travelTo, travelToTime, usePlayback, useTravel } from './use-travel.ts';

const isPageSource = readSource(location.search, import.meta.env.MODE === 'site').kind === 'page';

const speeds = [0.1, 0.5, 1, 5, 20, 100];

export function Scrubber({ uid }: { readonly uid: string }) {
  const session = useSession();
  const { start, end, now, isPast } = useTravel();
  const [speed, setSpeed] = useState(1);
  const { isPlaying, setPlaying } = usePlayback(speed);
  // Only a simulation of the page's own keeps what was done to it.
  const canRunAgain = useRunTime() !== undefined && isPageSource;
  const last = Math.max(end, start + 1);
  return (
    <div className={isPast ? styles.past : styles.bar} role="toolbar" aria-label="Time travel">
      <IconButton icon="first" label="To the beginning" onPress={() => travelTo(session, session.run.history.firstSeq)} />
      <IconButton icon="reverse" label="Back to the last breakpoint" shortcut="Shift+F8" onPress={() => goReverseContinue(session, uid)} />
      <IconButton icon="chevronLeft" label="One step back" shortcut="Shift+F10" onPress={() => goStepBack(session, uid)} />
      <IconButton
        icon={isPlaying ? 'pause' : 'play'}
        label={isPlaying ? 'Stop playing' : 'Play from here'}
        isDisabled={!isPast}
        onPress={() => setPlaying(!isPlaying)}
      />
      <IconButton icon="chevronRight" label="One step forth" isDisabled={!isPast} onPress={() => goStepForward(session, uid)} />
      <input
        className={styles.slider}
        type="range"
        min={Math.floor(start)}
        max={Math.ceil(last)}
        step={1}
        value={isPast ? Math.round(now) : Math.ceil(last)}
        aria-label="Instant in view"
        aria-valuetext={isPast ? formatClock(now) : 'now'}
        onChange={({ target }) => {
          setPlaying(false);
          travelToTime(session, Number(target.value));
        }}
      />
      <span className={styles.instant}>{isPast ? formatClock(now) : 'now'}</span>
      {isPast && (
        <>
          <NativeSelect
            label="Speed of playing"
            value={String(speed)}
            options={speeds.map((each) => ({ id: String(each), label: `×${each}` }))}
            onChange={(id) => setSpeed(Number(id))}
          />
          {canRunAgain && (
            <Button icon="restart" onPress={() => void runAgainFromHere(session)}>
              Run again from here
            </Button>
          )}
          <Button kind="primary" icon="last" onPress={() => travelTo(session, undefined)}>
            Back to live
          </Button>
        </>
      )}
    </div>
  );
}
