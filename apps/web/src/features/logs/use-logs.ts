/** Follows the logs of containers through restarts, merges them by time, and searches them on the node. */
import { useQuery } from '@tanstack/react-query';
import { useCallback, useDeferredValue, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { useT } from '../../base/i18n/i18n.ts';
import { useSession } from '../../node/run/node-session.ts';
import type { ShownLine } from './lines/log-buffer.ts';
import { styledLine } from './lines/styled-line.ts';
import { LogFeed, type LogRequest, type LogStatus, pageLines } from './log-feed.ts';
import { logMessages } from './messages.en.ts';

/** A container whose log is shown. */
export interface LogSource extends LogRequest {
  /** Number of the running attempt. When it changes, the log of another instance starts. */
  readonly attempt: number | undefined;
}

export interface LogView extends LogStatus {
  readonly lines: readonly ShownLine[];
  /** Number of earlier lines that aren't loaded. */
  readonly earlier: number;
  readonly loadEarlier: () => void;
  /**
   * The lines of the whole log that contain the search text; undefined without a search text or while the node
   * searches.
   */
  readonly found:
    | { readonly lines: readonly ShownLine[]; readonly matches: number; readonly total: number }
    | undefined;
}

const byTime = (a: ShownLine, b: ShownLine): number => a.time - b.time;

/** Merges the lines of all feeds by time. Lines with the same time keep the order of the feeds. */
function merged(feeds: readonly LogFeed[]): readonly ShownLine[] {
  const [only] = feeds;
  if (only && feeds.length === 1) return only.buffer.lines;
  // Omit lines before this time. At least one of the logs isn't loaded further back, so the merged log would be
  // incomplete there.
  const from = Math.max(...feeds.map((feed) => (feed.earlier > 0 ? (feed.buffer.lines[0]?.time ?? 0) : 0)), 0);
  return feeds
    .flatMap(({ buffer, request: { container } }, at) =>
      buffer.lines.flatMap((line) =>
        line.time < from ? [] : { ...line, container, number: line.number * feeds.length + at },
      ),
    )
    .toSorted(byTime);
}

/** Combines the states of several logs: `loading` if any log is loading, `ended` if all have ended. */
function statusOf(feeds: readonly LogFeed[]): LogStatus {
  const statuses = feeds.map(({ status }) => status);
  const phase = statuses.some((status) => status.phase === 'loading')
    ? 'loading'
    : statuses.some((status) => status.phase === 'following')
      ? 'following'
      : 'ended';
  // A container that hasn't started has no log. Show this problem only if all containers have one.
  const problem = statuses.every((status) => status.problem !== undefined) ? statuses[0]?.problem : undefined;
  return { phase, problem };
}

/** Time after the last key press until the node searches, in milliseconds. */
const typingPause = 250;

function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), typingPause);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

/**
 * Follows the logs.
 * @param isPast true while the page shows the past. In this case, no new log is followed.
 */
export function useLogs(sources: readonly LogSource[], search: string, isPast: boolean): LogView {
  const { connection, run } = useSession();
  const t = useT();
  const key = JSON.stringify(sources, (name, value: unknown) => (name === 'attempt' ? undefined : value));
  const feeds = useMemo(
    () =>
      (JSON.parse(key) as LogRequest[]).map(
        (request) => new LogFeed({ connection, request, now: () => run.liveNow() }),
      ),
    [key, connection, run],
  );
  const attempts = JSON.stringify(sources.map(({ attempt }) => attempt ?? null));
  const [followed, setFollowed] = useState(attempts);
  if (!isPast && attempts !== followed) setFollowed(attempts);
  const [started] = useState(() => new Map<LogFeed, number | null>());
  useEffect(
    () => () => {
      for (const feed of feeds) {
        feed.stop();
        started.delete(feed);
      }
    },
    [feeds, started],
  );
  useEffect(() => {
    for (const [at, attempt] of (JSON.parse(followed) as (number | null)[]).entries()) {
      const feed = feeds[at];
      if (!feed || (started.has(feed) && started.get(feed) === attempt)) continue;
      started.set(feed, attempt);
      feed.start(attempt === null ? t(logMessages.restarting) : t(logMessages.attempt, { attempt }));
    }
  }, [feeds, followed, started, t]);

  const [state] = useState({ version: 0 });
  const version = useSyncExternalStore(
    useCallback(
      (listener) => {
        const stops = feeds.map((feed) =>
          feed.subscribe(() => {
            state.version++;
            listener();
          }),
        );
        return () => stops.forEach((stop) => stop());
      },
      [feeds, state],
    ),
    () => state.version,
  );
  const lines = useMemo(() => (version < 0 ? [] : merged(feeds)), [feeds, version]);
  const earlier = feeds.reduce((sum, feed) => sum + feed.earlier, 0);
  const found = useFound(feeds, lines, earlier, useSettled(search));
  const loadEarlier = useCallback(() => {
    for (const feed of feeds) void feed.loadEarlier();
  }, [feeds]);
  return { lines, earlier, loadEarlier, found, ...statusOf(feeds) };
}

/** Returns the matching lines: those that the node found, and matches among the lines that arrived after the search. */
function useFound(
  feeds: readonly LogFeed[],
  lines: readonly ShownLine[],
  earlier: number,
  search: string,
): LogView['found'] {
  const { connection } = useSession();
  const text = useDeferredValue(search);
  const { data } = useQuery({
    queryKey: ['logSearch', feeds.map(({ request }) => request), text],
    queryFn: ({ signal }) =>
      Promise.all(
        feeds.map(({ request }) =>
          connection.command<'logPage'>({ command: 'logPage', ...request, limit: pageLines, search: text }, signal),
        ),
      ),
    enabled: text !== '' && earlier > 0,
    retry: false,
    gcTime: 0,
  });
  return useMemo(() => {
    if (text === '') return undefined;
    const needle = text.toLowerCase();
    const matches = (line: ShownLine): boolean => line.stream !== 'divider' && line.text.toLowerCase().includes(needle);
    if (earlier === 0) {
      const shown = lines.filter(matches);
      return { lines: shown, matches: shown.length, total: lines.length };
    }
    if (!data) return undefined;
    const isMerged = feeds.length > 1;
    const pages = data.map((page, at): readonly ShownLine[] =>
      page.lines.map(({ number, time, stream, text: raw }) => ({
        number: number * feeds.length + at,
        line: number,
        time,
        stream,
        ...(isMerged ? { container: feeds[at]?.request.container ?? '' } : {}),
        ...styledLine(raw),
      })),
    );
    const since = feeds.flatMap(({ buffer, request: { container } }, at) =>
      buffer.lines.flatMap((line) =>
        matches(line) && (line.line ?? 0) >= (data[at]?.total ?? 0)
          ? { ...line, number: (line.line ?? 0) * feeds.length + at, ...(isMerged ? { container } : {}) }
          : [],
      ),
    );
    const shown = [...pages.flat(), ...since];
    return {
      lines: isMerged ? shown.toSorted(byTime) : shown,
      matches: data.reduce((sum, page) => sum + page.matches, 0) + since.length,
      total: feeds.reduce((sum, feed) => sum + feed.total, 0),
    };
  }, [feeds, lines, earlier, text, data]);
}
