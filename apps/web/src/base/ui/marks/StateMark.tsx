/** Renders the symbol of a state. Each state has its own shape, so that it is recognizable without color. */

import { cx } from './cx.ts';
import styles from './StateMark.module.css';

export type Tone =
  | 'running'
  | 'progressing'
  | 'waiting'
  | 'error'
  | 'succeeded'
  | 'terminating'
  | 'stopped'
  | 'unknown'
  | 'done'
  | 'skipped'
  | 'pending';

/** SVG paths on a grid of 12 by 12 units. */
const shapes: Readonly<Record<Tone, { readonly fill?: string; readonly line?: string }>> = {
  running: { fill: 'M6 1a5 5 0 1 1 0 10A5 5 0 0 1 6 1Z' },
  progressing: { line: 'M10.5 6A4.5 4.5 0 1 1 6 1.5' },
  waiting: { fill: 'M2 1.5h8v1.7L7.4 6 10 8.8v1.7H2V8.8L4.6 6 2 3.2Z' },
  error: { fill: 'M6 .8 11.4 10.8H.6Z' },
  succeeded: { line: 'm1.8 6.4 2.9 2.9 5.5-6.4' },
  done: { line: 'm1.8 6.4 2.9 2.9 5.5-6.4' },
  terminating: { line: 'm2.2 2.2 7.6 7.6m0-7.6-7.6 7.6' },
  stopped: { fill: 'M2.2 1.5h2.8v9H2.2zM7 1.5h2.8v9H7z' },
  unknown: { line: 'M4 4.2a2 2 0 1 1 2.9 1.8C6.2 6.4 6 6.8 6 7.6m0 2v.1' },
  skipped: { line: 'M2 6h8' },
  pending: { line: 'M6 1.8a4.2 4.2 0 1 1 0 8.4 4.2 4.2 0 0 1 0-8.4Z' },
};

export function StateMark({ tone, size = 12 }: { readonly tone: Tone; readonly size?: number }) {
  const { fill, line } = shapes[tone];
  return (
    <svg
      className={cx(styles.mark, styles[tone])}
      width={`${size / 16}rem`}
      height={`${size / 16}rem`}
      viewBox="0 0 12 12"
      aria-hidden="true"
      focusable="false"
    >
      {fill && <path d={fill} fill="currentColor" />}
      {line && (
        <path
          d={line}
          fill="none"
          stroke="currentColor"
          strokeWidth="1.8"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      )}
    </svg>
  );
}
