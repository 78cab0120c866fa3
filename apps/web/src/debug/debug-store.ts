/**
 * The node's debugger as this page knows it: breakpoints, stopped threads, faults. It comes whole with the welcome, and is asked for anew
 * whenever an event says that something changed, so that the page never has to reckon it.
 */
import type { BreakpointSpec, BreakpointState, DebugState, ExceptionFilterSpec, StoppedThread } from '@podscope/protocol';
import type { TraceEvent, TraceEventType } from '@podscope/trace';
import type { CommandName, CommandOf, CommandResult } from '../connection/commands.ts';
import type { Connection, EventReader, Welcome } from '../connection/connection.ts';

/** Events after which the state is another one. */
const telling: ReadonlySet<TraceEventType> = new Set(['stopped', 'continued', 'intervention', 'breakpointsChanged']);

/** The list of breakpoints that pages share. */
export const pageGroup = '';

export class DebugStore implements EventReader {
  readonly #listeners = new Set<() => void>();
  #connection: Connection | undefined;
  #state: DebugState | undefined;
  #isAsking = false;
  #isStale = false;

  /** Undefined where there is no debugger: a run that is only read. */
  get state(): DebugState | undefined {
    return this.#state;
  }

  /** Where commands go; given once, after the connection that needs this reader has been made. */
  attach(connection: Connection): void {
    this.#connection = connection;
  }

  /** Where the pod's worker stands still, if it does. */
  stopOf(uid: string | undefined): StoppedThread | undefined {
    return uid === undefined ? undefined : this.#state?.stopped.find(({ thread, pod }) => thread === uid || pod?.uid === uid);
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  begin(welcome: Welcome): void {
    this.#become(welcome.debug);
  }

  resume(welcome: Welcome): void {
    this.#become(welcome.debug);
  }

  time(): void {}

  events(events: readonly TraceEvent[]): void {
    if (this.#state && events.some(({ type }) => telling.has(type))) this.#ask();
  }

  /** Replaces this page's list of breakpoints. @throws CommandFailedError, DisconnectedError */
  async setBreakpoints(breakpoints: readonly BreakpointSpec[]): Promise<readonly BreakpointState[]> {
    const { breakpoints: made } = await this.#command().command<'setBreakpoints'>({
      command: 'setBreakpoints',
      group: pageGroup,
      breakpoints: [...breakpoints],
    });
    this.#ask();
    return made;
  }

  /** @throws CommandFailedError, DisconnectedError */
  async setFilters(filters: readonly ExceptionFilterSpec[]): Promise<void> {
    await this.#command().command<'setExceptionBreakpoints'>({ command: 'setExceptionBreakpoints', filters: [...filters] });
    this.#ask();
  }

  /** Sends a command that changes what the debugger has, and asks for its state anew. @throws CommandFailedError, DisconnectedError */
  async change<Name extends CommandName>(command: CommandOf<Name>): Promise<CommandResult<Name>> {
    const result = await this.#command().command<Name>(command);
    this.#ask();
    return result;
  }

  #command(): Connection {
    if (!this.#connection) throw new Error('the debug store has no connection yet');
    return this.#connection;
  }

  /** Asks for the state; while an answer is on its way, once more after it. */
  #ask(): void {
    if (this.#isAsking) {
      this.#isStale = true;
      return;
    }
    this.#isAsking = true;
    const ask = async (): Promise<void> => {
      try {
        do {
          this.#isStale = false;
          this.#become(await this.#command().command<'debugState'>({ command: 'debugState' }));
        } while (this.#isStale);
      } catch {
        // The connection broke: the welcome of the next one brings the state.
      } finally {
        this.#isAsking = false;
      }
    };
    void ask();
  }

  #become(state: DebugState | undefined): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}
