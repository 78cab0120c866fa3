/** Lines of a log, only those in view. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef } from 'react';
import { cx } from '../ui/cx.ts';
import { formatClock } from '../ui/format.ts';
import styles from './LogLines.module.css';
import type { ShownLine } from './log-buffer.ts';

interface LogLinesProps {
  readonly label: string;
  readonly lines: readonly ShownLine[];
  readonly search: string;
  readonly wrap: boolean;
  readonly timestamps: boolean;
  readonly follow: boolean;
  /** The reader scrolled away from the end, or back to it. */
  readonly onFollow: (follow: boolean) => void;
  readonly dropped: number;
}

const lineHeight = 20;

/** The text with each place that matches marked. */
function marked(text: string, search: string): ReactNode {
  if (search === '') return text;
  const parts: ReactNode[] = [];
  const lower = text.toLowerCase();
  const needle = search.toLowerCase();
  let from = 0;
  for (let at = lower.indexOf(needle); at !== -1; at = lower.indexOf(needle, from)) {
    parts.push(text.slice(from, at), <mark key={at}>{text.slice(at, at + needle.length)}</mark>);
    from = at + needle.length;
  }
  return [...parts, text.slice(from)];
}

export function LogLines({ label, lines, search, wrap, timestamps, follow, onFollow, dropped }: LogLinesProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => lineHeight,
    overscan: 20,
    getItemKey: (index) => lines[index]?.number ?? index,
  });
  useEffect(() => {
    if (follow && lines.length > 0) virtual.scrollToIndex(lines.length - 1, { align: 'end' });
  }, [follow, lines, virtual]);
  // Only a person's own scrolling lets go of the end: that of the list itself has no wheel, key or pointer before it.
  const onScroll = ({ currentTarget: { scrollTop, scrollHeight, clientHeight } }: { currentTarget: HTMLDivElement }): void => {
    if (!follow && scrollTop + clientHeight >= scrollHeight - 2) onFollow(true);
  };
  return (
    // The keys only say that the reader scrolls; a region that scrolls has to take the focus.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      ref={scroller}
      className={cx(styles.lines, wrap && styles.wrap)}
      role="log"
      aria-label={label}
      aria-live="off"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      onScroll={onScroll}
      onWheel={({ deltaY }) => deltaY < 0 && onFollow(false)}
      onKeyDown={({ key }) => ['ArrowUp', 'PageUp', 'Home'].includes(key) && onFollow(false)}
    >
      {dropped > 0 && <p className={styles.note}>{dropped.toLocaleString('en')} earlier lines are no longer here.</p>}
      <div className={styles.canvas} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const line = lines[index];
          return (
            line && (
              <div
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                className={cx(styles.line, styles[line.stream])}
                style={{ transform: `translateY(${start}px)` }}
              >
                {timestamps && line.stream !== 'divider' && <time className={styles.time}>{formatClock(line.time)}</time>}
                <span className={styles.text}>{marked(line.text, search) || ' '}</span>
              </div>
            )
          );
        })}
      </div>
    </div>
  );
}
