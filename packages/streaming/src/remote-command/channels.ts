/** Declares the streams of a remote command, common to SPDY and WebSocket. */
import type { ProcessStreams } from '@podscope/cri';
import type { Outcome } from './outcome.ts';

/** A client's open streams. */
export interface OpenStreams {
  readonly streams: ProcessStreams;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
  /** Sends the outcome and closes all streams. */
  finish(outcome: Outcome): Promise<void>;
}

/** Returns a signal that is aborted when `closed` resolves. */
export function abortedWhen(closed: Promise<void>): AbortSignal {
  const controller = new AbortController();
  void closed.then(() => controller.abort(new Error('the client went away')));
  return controller.signal;
}
