/**
 * Declares the interface through which the relay reports calls and asks about them. Also contains the implementation
 * that is used if no debugger is connected.
 */
import type { Answer, RelayMessage } from '@podscope/relay-protocol/wire';

/**
 * Reports a message.
 * @param release called when `bytes` are no longer needed
 */
export type Report = (message: RelayMessage, bytes?: Buffer, release?: () => void) => void;

/** The functions of the connections of debugger and readers that a call uses. */
export interface Observer {
  /** True while a debugger or a reader is connected and receives messages. */
  readonly isConnected: boolean;
  /** Reports a message to all that are connected. */
  report: Report;
  /**
   * Returns true if the debugger wants to be asked about calls of the method (`before`), or about their responses
   * (`after`).
   */
  asksAbout(method: string, phase: 'before' | 'after'): boolean;
  /** How long a call waits for the answer to a question, in milliseconds. */
  readonly answerWithin: number;
}

/** A call that a debugger can hold, answer and release. */
export interface ControlledCall {
  readonly number: number;
  /** Applies an answer of the debugger. Returns the reason if it can't be applied. */
  answer(answer: Answer): 'late' | 'notHoldable' | undefined;
  release(answer: Answer): 'late' | undefined;
  /** Ends all holds and faults of the debugger, because it disconnected. The call is then forwarded. */
  debuggerGone(): void;
  /** Reports the call to a debugger or reader that has just connected. */
  introduce(report: Report): void;
}

/** The calls in flight, by number. */
export class CallRegistry {
  readonly #calls = new Map<number, ControlledCall>();
  #last = 0;

  next(): number {
    return ++this.#last;
  }

  add(call: ControlledCall): void {
    this.#calls.set(call.number, call);
  }

  remove(number: number): void {
    this.#calls.delete(number);
  }

  get(number: number): ControlledCall | undefined {
    return this.#calls.get(number);
  }

  get all(): readonly ControlledCall[] {
    return [...this.#calls.values()];
  }
}
