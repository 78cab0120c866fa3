/** The instant the page shows: at the present, or back in the run; and how to move through it. */
import { reverseContinue, stepBack } from '@podscope/trace';
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { translate } from '../i18n/i18n.ts';
import { type NodeSession, useSession } from '../run/node-session.ts';
import { notify } from '../state/interface.ts';
import { useView } from '../state/view-store.ts';
import { travelMessages } from './messages.en.ts';

/** Shows the run after an event; undefined: as it is. The address keeps it. */
export function travelTo({ run }: NodeSession, seq: number | undefined): void {
  run.travel(seq);
  useView.getState().show({ at: run.past?.seq });
}

/** Shows the run as it was at a time, in milliseconds since the Unix epoch. */
export const travelToTime = (session: NodeSession, time: number): void => travelTo(session, session.run.history.seqAt(time));

/** One step back on the pod's worker: DAP's stepBack. */
export function goStepBack(session: NodeSession, uid: string): void {
  const { run } = session;
  const boundary = stepBack(run.history.events, run.past?.seq ?? run.history.lastSeq + 1, uid);
  if (boundary) travelTo(session, boundary.seq);
}

/** Forth to the next boundary of a step on the pod's worker, or to the present. */
export function goStepForward(session: NodeSession, uid: string): void {
  const { run } = session;
  const { past } = run;
  if (!past) return;
  const next = run.history
    .range(past.seq + 1, run.history.lastSeq)
    .find((event) => event.thread === uid && (event.type === 'spanStarted' || event.type === 'spanEnded'));
  travelTo(session, next?.seq);
}

/** Back to where a breakpoint or filter last would have stopped the pod's worker, else to the beginning: DAP's reverseContinue. */
export async function goReverseContinue(session: NodeSession, uid: string): Promise<void> {
  const { run, debug, connection } = session;
  try {
    const { catalogOfRecording, RecordedGate, recordedStops } = await import('@podscope/debugger/past');
    const { events, pods } = run.history;
    const { breakpoints = [], filters = [] } = debug.state ?? {};
    const gate = new RecordedGate({ catalog: catalogOfRecording(events, connection.node?.profile ?? 'v1.36'), breakpoints, filters, pods });
    const stops = recordedStops(events, gate);
    for (const { breakpoint, message } of gate.unjudged()) notify('info', translate(travelMessages.passedOver, { breakpoint, message }));
    const boundary = reverseContinue(events, run.past?.seq ?? run.history.lastSeq + 1, ({ boundary: { seq } }) => stops.has(seq), uid);
    if (boundary) travelTo(session, boundary.seq);
  } catch (error) {
    notify('error', error instanceof Error ? error.message : String(error));
  }
}

/** Has the simulation run again up to the instant in view, with all that was done to it, and pause there: what happens next is for the person to say. */
export async function runAgainFromHere(session: NodeSession): Promise<void> {
  const { run, connection } = session;
  const seq = run.past?.seq;
  if (seq === undefined) return;
  try {
    await connection.command<'rerun'>({ command: 'rerun', seq });
    travelTo(session, undefined);
  } catch (error) {
    notify('error', error instanceof Error ? error.message : String(error));
  }
}

/** Begin and end of the run, and the instant in view. */
export interface TravelState {
  readonly start: number;
  readonly end: number;
  readonly now: number;
  readonly isPast: boolean;
}

/** True while the page looks back. */
export function useIsPast(): boolean {
  const { run } = useSession();
  return useSyncExternalStore(
    useCallback((listener) => run.subscribe(listener), [run]),
    () => run.past !== undefined,
  );
}

/** Follows the run's instant. */
export function useTravel(): TravelState {
  const { run } = useSession();
  const version = useSyncExternalStore(
    useCallback((listener) => run.subscribe(listener), [run]),
    () => run.version,
  );
  return useMemo(() => {
    const { events } = run.history;
    const start = events[0]?.time ?? run.liveNow();
    return { start, end: version < 0 ? start : (events.at(-1)?.time ?? start), now: run.past?.time ?? run.liveNow(), isPast: run.past !== undefined };
  }, [run, version]);
}

/** Milliseconds between two frames of a playback. */
const frame = 50;

/** Plays the run from the instant in view, at so many seconds to the second. */
export function usePlayback(speed: number): { readonly isPlaying: boolean; readonly setPlaying: (isPlaying: boolean) => void } {
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

/** Takes over the instant that the address names, once its events are here. */
export function useAddressedInstant(): void {
  const { run } = useSession();
  useEffect(() => {
    const take = (): void => {
      const { at } = useView.getState();
      const { history, past } = run;
      // Not before the first events are here.
      if (history.lastSeq > 0 && at !== past?.seq && (at === undefined || at <= history.lastSeq)) run.travel(at);
    };
    // Whoever travels tells the run, and right after it the address.
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
