/**
 * Caches the state of the node's debugger: breakpoints, stopped threads, faults. The welcome contains the state. The
 * page requests the state again after each event that changes it; it never derives the state from events.
 */
import type {
  BreakpointSpec,
  BreakpointState,
  DebugState,
  ExceptionFilterSpec,
  StoppedThread,
} from '@podscope/protocol';
import type { TraceEvent, TraceEventType } from '@podscope/trace';
import type { CommandName, CommandOf, CommandResult } from '../connection/commands.ts';
import type { Connection, EventReader, Welcome } from '../connection/connection.ts';

/** Events that change the state. */
const telling: ReadonlySet<TraceEventType> = new Set(['stopped', 'continued', 'intervention', 'breakpointsChanged']);

/** The breakpoint group that all pages share. */
export const pageGroup = '';

export class DebugStore implements EventReader {
  readonly #listeners = new Set<() => void>();
  #connection: Connection | undefined;
  #state: DebugState | undefined;
  #isAsking = false;
  #isStale = false;

  /** The last known state; undefined without a debugger, as for a saved run. */
  get state(): DebugState | undefined {
    return this.#state;
  }

  /**
   * Sets the connection for commands. Call it once. It isn't a constructor argument, because the connection itself
   * needs this object first.
   */
  attach(connection: Connection): void {
    this.#connection = connection;
  }

  /** Returns the stopped thread of a pod's worker; undefined while it runs. */
  stopOf(uid: string | undefined): StoppedThread | undefined {
    return uid === undefined
      ? undefined
      : this.#state?.stopped.find(({ thread, pod }) => thread === uid || pod?.uid === uid);
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

  /**
   * Replaces the breakpoints that all pages share.
   * @throws CommandFailedError, DisconnectedError
   */
  async setBreakpoints(breakpoints: readonly BreakpointSpec[]): Promise<readonly BreakpointState[]> {
    const { breakpoints: made } = await this.#command().command<'setBreakpoints'>({
      command: 'setBreakpoints',
      group: pageGroup,
      breakpoints: [...breakpoints],
    });
    // Store the result at once, so that an action after the response, such as creating a link, uses it.
    if (this.#state) {
      const others = this.#state.breakpoints.filter(({ group }) => group !== pageGroup);
      this.#become({ ...this.#state, breakpoints: [...others, ...made] });
    }
    this.#ask();
    return made;
  }

  /** @throws CommandFailedError, DisconnectedError */
  async setFilters(filters: readonly ExceptionFilterSpec[]): Promise<void> {
    await this.#command().command<'setExceptionBreakpoints'>({
      command: 'setExceptionBreakpoints',
      filters: [...filters],
    });
    this.#ask();
  }

  /**
   * Sends a command that changes the debugger and requests its new state.
   * @throws CommandFailedError, DisconnectedError
   */
  async change<Name extends CommandName>(command: CommandOf<Name>): Promise<CommandResult<Name>> {
    const result = await this.#command().command<Name>(command);
    this.#ask();
    return result;
  }

  #command(): Connection {
    if (!this.#connection) throw new Error('the debug store has no connection yet');
    return this.#connection;
  }

  /** Requests the state. If a request is in progress, makes one more request after it. */
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
        // If the connection was lost, the next welcome contains the state.
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
