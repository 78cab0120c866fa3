/** Moves the page through the time of the run. */
import { errorMessage } from '@podscope/base';
import { reverseContinue, stepBack } from '@podscope/trace';
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { translate } from '../../base/i18n/i18n.ts';
import { notify } from '../../base/notices/notices.ts';
import { useView } from '../address/view-store.ts';
import { type NodeSession, useSession } from '../run/node-session.ts';
import { travelMessages } from './messages.en.ts';

/** Shows the run after an event; undefined returns to live. The address stores the position. */
export function travelTo({ run }: NodeSession, seq: number | undefined): void {
  run.travel(seq);
  useView.getState().show({ at: run.past?.seq });
}

/** Shows the run at a time, in milliseconds since the Unix epoch. */
export const travelToTime = (session: NodeSession, time: number): void =>
  travelTo(session, session.run.history.seqAt(time));

/** Steps back on the pod's worker: DAP stepBack. */
export function goStepBack(session: NodeSession, uid: string): void {
  const { run } = session;
  const boundary = stepBack(run.history.events, run.past?.seq ?? run.history.lastSeq + 1, uid);
  if (boundary) travelTo(session, boundary.seq);
}

/** Steps forward to the next start or end of a span on the pod's worker, or to the present at the end of the run. */
export function goStepForward(session: NodeSession, uid: string): void {
  const { run } = session;
  const { past } = run;
  if (!past) return;
  const next = run.history
    .range(past.seq + 1, run.history.lastSeq)
    .find((event) => event.thread === uid && (event.type === 'spanStarted' || event.type === 'spanEnded'));
  travelTo(session, next?.seq);
}

/**
 * Goes back to the last place where a breakpoint or filter would have stopped the pod's worker, or else to the start of
 * the run: DAP reverseContinue.
 */
export async function goReverseContinue(session: NodeSession, uid: string): Promise<void> {
  const { run, debug, connection } = session;
  try {
    const [{ catalogOfRecording, RecordedGate, recordedStops }, { loadExpressions }] = await Promise.all([
      import('@podscope/debugger/past'),
      import('@podscope/debugger/expressions'),
    ]);
    await loadExpressions();
    const { events, pods } = run.history;
    const { breakpoints = [], filters = [] } = debug.state ?? {};
    const gate = new RecordedGate({
      catalog: catalogOfRecording(events, connection.node?.profile ?? 'v1.36'),
      breakpoints,
      filters,
      pods,
    });
    const stops = recordedStops(events, gate);
    for (const { breakpoint, message } of gate.unjudged())
      notify('info', translate(travelMessages.passedOver, { breakpoint, message }));
    const boundary = reverseContinue(
      events,
      run.past?.seq ?? run.history.lastSeq + 1,
      ({ boundary: { seq } }) => stops.has(seq),
      uid,
    );
    if (boundary) travelTo(session, boundary.seq);
  } catch (error) {
    notify('error', errorMessage(error));
  }
}

/** Replays the simulation with all its inputs up to the shown moment and pauses it there. */
export async function runAgainFromHere(session: NodeSession): Promise<void> {
  const { run, connection } = session;
  const seq = run.past?.seq;
  if (seq === undefined) return;
  try {
    await connection.command<'rerun'>({ command: 'rerun', seq });
    travelTo(session, undefined);
  } catch (error) {
    notify('error', errorMessage(error));
  }
}

/** Start and end of the run, and the shown moment, in milliseconds since the Unix epoch. */
export interface TravelState {
  readonly start: number;
  readonly end: number;
  readonly now: number;
  readonly isPast: boolean;
}

/** Returns true while the page shows the past. */
export function useIsPast(): boolean {
  const { run } = useSession();
  return useSyncExternalStore(
    useCallback((listener) => run.subscribe(listener), [run]),
    () => run.past !== undefined,
  );
}

/** Returns the range of the run and the shown moment. */
export function useTravel(): TravelState {
  const { run } = useSession();
  const version = useSyncExternalStore(
    useCallback((listener) => run.subscribe(listener), [run]),
    () => run.version,
  );
  return useMemo(() => {
    const { events } = run.history;
    const start = events[0]?.time ?? run.liveNow();
    return {
      start,
      end: version < 0 ? start : (events.at(-1)?.time ?? start),
      now: run.past?.time ?? run.liveNow(),
      isPast: run.past !== undefined,
    };
  }, [run, version]);
}

/** Interval between two frames of playback, in milliseconds. */
const frame = 50;

/** Plays the run from the shown moment. @param speed seconds of the run per second */
export function usePlayback(speed: number): {
  readonly isPlaying: boolean;
  readonly setPlaying: (isPlaying: boolean) => void;
} {
  const session = useSession();
  const [isPlaying, setPlaying] = useState(false);
  const rate = useRef(speed);
  useEffect(() => {
    rate.current = speed;
  }, [speed]);
  useEffect(() => {
    if (!isPlaying) return undefined;
    let at = session.run.past?.time;
    const timer = setInterval(() => {
      const { run } = session;
      if (!run.past || at === undefined) {
        setPlaying(false);
        return;
      }
      at += frame * rate.current;
      const seq = run.history.seqAt(at);
      if (seq >= run.history.lastSeq) travelTo(session, undefined);
      else if (seq !== run.past.seq) travelTo(session, seq);
    }, frame);
    return () => clearInterval(timer);
  }, [isPlaying, session]);
  return { isPlaying, setPlaying };
}

/** Applies the position in the address once its events have arrived. */
export function useAddressedInstant(): void {
  const { run } = useSession();
  useEffect(() => {
    const take = (): void => {
      const { at } = useView.getState();
      const { history, past } = run;
      // Before the first events arrive, the position is unknown.
      if (history.lastSeq > 0 && at !== past?.seq && (at === undefined || at <= history.lastSeq)) run.travel(at);
    };
    // Wait one turn, because `travelTo` updates the run first and the address right after it.
    const takeSoon = (): void => queueMicrotask(take);
    take();
    const ends = [
      run.subscribe(takeSoon),
      useView.subscribe((now, before) => {
        if (now.at !== before.at) takeSoon();
      }),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, [run]);
}
