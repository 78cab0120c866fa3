/** Renders the caption and the controls of slow motion. */
import { useEffect } from 'react';
import { useT } from '../../base/i18n/i18n.ts';
import { Button, IconButton } from '../../base/ui/fields/Button.tsx';
import { pointDescription, pointTitle } from '../../node/points/step-text.ts';
import { useSession } from '../../node/run/node-session.ts';
import { slowMotionMessages as texts } from './messages.en.ts';
import { endSlowMotion, goToFrame, setSlowMotionPlaying } from './play-slow-motion.ts';
import styles from './SlowMotion.module.css';
import { useSlowMotion } from './slow-motion-store.ts';
import { slowFactor } from './slow-plan.ts';

export function SlowMotion() {
  const t = useT();
  const session = useSession();
  const { session: played, frames, index, isPlaying } = useSlowMotion();
  // End slow motion when another run is opened.
  useEffect(() => {
    if (played && played !== session) endSlowMotion();
  }, [played, session]);
  const frame = frames[index];
  if (!frame) return null;
  const { step, at } = frame;
  const isLast = index === frames.length - 1;
  return (
    <section className={styles.bar} aria-label={t(texts.slowMotion)}>
      <div className={styles.caption} role="status" aria-live="polite">
        <strong className={styles.title}>{step ? pointTitle(t, step.point, step.title) : t(texts.over)}</strong>
        <span className={styles.description}>{step ? pointDescription(t, step.point, '') : ''}</span>
      </div>
      <span className={styles.fact}>
        {t(texts.place, { step: index + 1, count: frames.length, milliseconds: Math.round(at) })}
        <br />
        {t(texts.pace, { factor: slowFactor })}
      </span>
      <span className={styles.controls}>
        <IconButton
          icon="chevronLeft"
          label={t(texts.previous)}
          isDisabled={index === 0}
          onPress={() => goToFrame(index - 1)}
        />
        <IconButton
          icon={isPlaying ? 'pause' : 'play'}
          label={t(isPlaying ? texts.pause : texts.play)}
          onPress={() => setSlowMotionPlaying(!isPlaying)}
        />
        <IconButton
          icon="chevronRight"
          label={t(texts.next)}
          isDisabled={isLast}
          onPress={() => goToFrame(index + 1)}
        />
        <Button onPress={endSlowMotion}>{t(texts.end)}</Button>
      </span>
    </section>
  );
}
