/**
 * Explains the bars and marks of the timeline, drawn as the timeline draws them. Default export: loaded when
 * first used.
 */
import { drawSample, type Sample } from '@podscope/timeline';
import { useEffect, useRef } from 'react';
import { useT } from '../../base/i18n/i18n.ts';
import { onThemeChange } from '../../base/theme/theme.ts';
import { legendMessages as texts } from './messages.en.ts';
import styles from './TimelineLegend.module.css';

const samples: readonly (readonly [Sample, keyof typeof texts])[] = [
  [{ bar: 'pending', end: 1 }, 'pending'],
  [{ bar: 'pulling', progress: 0.5 }, 'pulling'],
  [{ bar: 'creating', end: 1 }, 'creating'],
  [{ bar: 'running' }, 'running'],
  [{ bar: 'hook', end: 1 }, 'hook'],
  [{ bar: 'stopping', end: 1 }, 'stopping'],
  [{ bar: 'error', end: 1 }, 'error'],
  [{ bar: 'succeeded', end: 1 }, 'succeeded'],
  [{ bar: 'backoff', end: 1 }, 'backoff'],
  [{ bar: 'waiting', end: 1 }, 'waiting'],
  [{ bar: 'sync', end: 1 }, 'sync'],
  [{ bar: 'paused', end: 1 }, 'paused'],
  [{ bar: 'call', end: 1, failed: true }, 'failed'],
  [{ bar: 'call', end: 1, injected: true }, 'injected'],
  [{ mark: 'exit', badge: '0' }, 'exit'],
  [{ mark: 'failure', badge: '1' }, 'failure'],
  [{ mark: 'probeSuccess' }, 'probeSuccess'],
  [{ mark: 'probeFailure' }, 'probeFailure'],
  [{ mark: 'probeError' }, 'probeError'],
  [{ mark: 'probeMissed' }, 'probeMissed'],
  [{ mark: 'event' }, 'event'],
  [{ mark: 'warning' }, 'warning'],
  [{ mark: 'stop' }, 'stop'],
  [{ mark: 'fault' }, 'fault'],
];

function Picture({ sample }: { readonly sample: Sample }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const draw = (): void => {
      if (canvas.current) drawSample(canvas.current, sample, devicePixelRatio);
    };
    draw();
    return onThemeChange(draw);
  }, [sample]);
  return <canvas ref={canvas} className={styles.picture} aria-hidden="true" />;
}

export default function TimelineLegend() {
  const t = useT();
  return (
    <ul className={styles.legend}>
      {samples.map(([sample, text]) => (
        <li key={text}>
          <Picture sample={sample} />
          {t(texts[text])}
        </li>
      ))}
    </ul>
  );
}
