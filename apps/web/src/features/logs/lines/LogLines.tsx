/** Renders the virtual list of log lines. */
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import { useT } from '../../../base/i18n/i18n.ts';
import { cx } from '../../../base/ui/marks/cx.ts';
import { useMeasuredRows } from '../../../base/ui/tables/use-measured-rows.ts';
import { useRowWindow } from '../../../base/ui/tables/use-row-window.ts';
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
  /** Called when the user scrolls away from the end of the list or back to it. */
  readonly onFollow: (follow: boolean) => void;
  /** Number of earlier lines that aren't loaded. */
  readonly earlier: number;
  readonly onEarlier: () => void;
  /** Time of the selected event. When it changes, its line scrolls into view. */
  readonly momentAt: number | undefined;
}

const lineHeight = 20;

/** Number of lines to render above and below the visible ones, so that users can select text beyond the view. */
const spareLines = 20;

/** Distance from the first loaded line at which earlier lines are loaded, in pixels. */
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
  const list = useRef<HTMLElement>(null);
  const canvas = useRef<HTMLDivElement>(null);
  const keys = useMemo(() => lines.map(({ number }) => number), [lines]);
  const rows = useMeasuredRows({ keys, rowHeight: lineHeight, isMeasured: wrap, list, canvas });
  const { scroller, first, end, onScroll, onWheel, reveal } = useRowWindow({
    count: lines.length,
    rowHeight: lineHeight,
    rows,
    headHeight: 0,
    followEnd: follow,
    onFollow,
    spare: spareLines,
  });
  const attach = useCallback(
    (element: HTMLElement | null) => {
      list.current = element;
      return scroller(element);
    },
    [scroller],
  );
  // When lines are added above the first one, the list scrolls by their height, so that the visible lines stay in
  // place.
  const firstLine = useRef(lines[0]?.number);
  useLayoutEffect(() => {
    const before = firstLine.current;
    firstLine.current = lines[0]?.number;
    if (!list.current || follow || before === undefined || lines[0]?.number === before) return;
    const added = lines.findIndex(({ number }) => number === before);
    if (added > 0) list.current.scrollBy(0, rows.top(added));
  }, [lines, follow, rows]);
  const moment = momentAt === undefined ? -1 : lines.findIndex(({ stream }) => stream === 'moment');
  const shownMoment = useRef<number>(undefined);
  useEffect(() => {
    // Scroll to each selected event only once, so that the list doesn't jump back to it when new lines arrive.
    if (momentAt === undefined || moment < 0 || shownMoment.current === momentAt) return;
    shownMoment.current = momentAt;
    reveal(moment, 'center');
  }, [momentAt, moment, reveal]);
  return (
    <div
      ref={attach}
      className={cx(styles.lines, wrap && styles.wrap)}
      role="log"
      aria-label={label}
      aria-live="off"
      // A scrollable region must be focusable.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      onScroll={({ currentTarget: { scrollTop } }) => {
        onScroll();
        if (scrollTop < nearTop && earlier > 0) onEarlier();
      }}
      onWheel={onWheel}
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
      <div ref={canvas} className={styles.canvas} style={{ height: rows.total }}>
        {lines.slice(first, end).map((line, at) => (
          <div
            key={line.number}
            data-key={line.number}
            className={cx(styles.line, styles[line.stream])}
            style={{ transform: `translateY(${rows.top(first + at)}px)` }}
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
        ))}
      </div>
    </div>
  );
}
