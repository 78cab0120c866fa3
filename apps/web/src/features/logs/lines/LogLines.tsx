/** Virtual list of log lines. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { useT } from '../../../base/i18n/i18n.ts';
import { cx } from '../../../base/ui/marks/cx.ts';
import { formatClock } from '../../../base/ui/text/format.ts';
import { useSession } from '../../../node/run/node-session.ts';
import { travelToTime } from '../../../node/travel/use-travel.ts';
import { logMessages } from '../messages.en.ts';
import styles from './LogLines.module.css';
import { LogText } from './LogText.tsx';
import type { ShownLine } from './log-buffer.ts';

interface LogLinesProps {
  readonly label: string;
  readonly lines: readonly ShownLine[];
  readonly search: string;
  readonly wrap: boolean;
  readonly timestamps: boolean;
  readonly follow: boolean;
  /** Called when the user scrolls away from the end or back to it. */
  readonly onFollow: (follow: boolean) => void;
  /** Number of earlier lines that aren't loaded. */
  readonly earlier: number;
  readonly onEarlier: () => void;
  /** Time of the selected moment; its line scrolls into view when it changes. */
  readonly momentAt: number | undefined;
}

const lineHeight = 20;

/** Distance from the first loaded line at which earlier ones are loaded, in pixels. */
const nearTop = 40;

export function LogLines({
  label,
  lines,
  search,
  wrap,
  timestamps,
  follow,
  onFollow,
  earlier,
  onEarlier,
  momentAt,
}: LogLinesProps) {
  const t = useT();
  const session = useSession();
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
  // Lines that come before the first one keep the others in their place.
  const firstLine = useRef(lines[0]?.number);
  useLayoutEffect(() => {
    const before = firstLine.current;
    firstLine.current = lines[0]?.number;
    const list = scroller.current;
    if (!list || follow || before === undefined || lines[0]?.number === before) return;
    const added = lines.findIndex(({ number }) => number === before);
    if (added > 0) list.scrollTop += added * lineHeight;
  }, [lines, follow]);
  const moment = momentAt === undefined ? -1 : lines.findIndex(({ stream }) => stream === 'moment');
  const shownMoment = useRef<number>(undefined);
  useEffect(() => {
    // Once per moment, so that arriving lines don't scroll back to it.
    if (momentAt === undefined || moment < 0 || shownMoment.current === momentAt) return;
    shownMoment.current = momentAt;
    virtual.scrollToIndex(moment, { align: 'center' });
  }, [momentAt, moment, virtual]);
  // Only scrolling by the user stops following; the list's own scrolling has no wheel, key or pointer event before
  // it.
  const onScroll = ({
    currentTarget: { scrollTop, scrollHeight, clientHeight },
  }: {
    currentTarget: HTMLDivElement;
  }): void => {
    if (!follow && scrollTop + clientHeight >= scrollHeight - 2) onFollow(true);
    if (!follow && scrollTop < nearTop && earlier > 0) onEarlier();
  };
  return (
    // The keys only detect scrolling; a scrollable region must be focusable.
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
      {earlier > 0 && (
        <p className={styles.note}>
          {t(logMessages.earlier, { count: earlier })}{' '}
          <button
            type="button"
            className={styles.more}
            onClick={() => {
              onFollow(false);
              onEarlier();
            }}
          >
            {t(logMessages.loadEarlier)}
          </button>
        </p>
      )}
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
                {timestamps && line.stream !== 'divider' && line.stream !== 'moment' && (
                  <button
                    type="button"
                    tabIndex={-1}
                    className={styles.time}
                    title={t(logMessages.travelTo, { clock: formatClock(line.time) })}
                    onClick={() => travelToTime(session, line.time)}
                  >
                    {formatClock(line.time)}
                  </button>
                )}
                {line.container !== undefined && <span className={styles.container}>{line.container}</span>}
                <span className={styles.text}>
                  <LogText line={line} search={search} />
                </span>
              </div>
            )
          );
        })}
      </div>
    </div>
  );
}
