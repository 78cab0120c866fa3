/** What SPDY and WebSocket have in common once the streams are open. */
import type { ProcessStreams } from '@podscope/cri';
import type { Outcome } from './outcome.ts';

/** A client's open streams. */
export interface OpenStreams {
  readonly streams: ProcessStreams;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
  /** Tells how it ended, and closes everything. */
  finish(outcome: Outcome): Promise<void>;
}

/** A signal that is aborted when `closed` resolves. */
export function abortedWhen(closed: Promise<void>): AbortSignal {
  const controller = new AbortController();
  void closed.then(() => controller.abort(new Error('the client went away')));
  return controller.signal;
}
