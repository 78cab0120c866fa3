/** Declares the interface of a DAP session that its request handlers and the event translator use. */
import type { TraceEventOf } from '@podscope/trace';
import type { ClientBreakpoints } from './client-breakpoints.ts';
import type { NodeConnection } from './node/node-connection.ts';
import type { RecordedPast } from './recorded-past.ts';
import type { ThreadIds } from './thread-ids.ts';

/** Handles a request and returns the body of the response. */
export type RequestHandler = (args: unknown) => Promise<object | undefined> | object | undefined;

export interface DebugSession {
  /** The group of this client's breakpoints. */
  readonly group: string;
  readonly threads: ThreadIds;
  readonly past: RecordedPast;
  readonly breakpoints: ClientBreakpoints;
  /** The events that reported the current stops, by thread. */
  readonly stops: Map<
    string,
    Pick<TraceEventOf<'stopped'>, 'seq' | 'reason' | 'text' | 'point' | 'phase' | 'breakpoints'>
  >;
  /** The connection to the launched or attached node. @throws NodeRefusal before launch or attach */
  readonly node: NodeConnection;
  /** Stores the thread of a frame, because DAP's requests about frames don't contain the thread. */
  rememberFrame(frame: number, thread: string): void;
  /**
   * Returns the thread of a frame. For an unknown or missing frame, returns the thread that stopped last, so that the
   * node reports the error.
   * @throws NodeRefusal if no thread is stopped
   */
  frameThread(frame: number | undefined): string;
  /** Sends an event. */
  event(event: string, body?: object): void;
  /** Writes a line to the client's console. */
  print(output: string, category?: 'console' | 'important' | 'stderr'): void;
  /** Runs a task after the response to the current request has been sent. */
  later(task: () => void): void;
  /**
   * Requests a rerun. Resolves when this session is connected to the new run.
   * @throws NodeRefusal if a rerun is not possible
   */
  rerun(command: Readonly<Record<string, unknown>>): Promise<unknown>;
  /** Continues virtual time that has been paused since a rerun. @returns false if time wasn't paused */
  letTimePass(): Promise<boolean>;
  /** Reports to the client that all pods of the program have ended. */
  ended(exitCode: number): void;
}
