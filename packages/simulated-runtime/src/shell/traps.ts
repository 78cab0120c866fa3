/** Stores the traps of a shell. A trap runs after the current command. */
import type { Process } from '../machine/process.ts';
import type { SignalName } from '../machine/signals.ts';

export class Traps {
  readonly #process: Process;
  readonly #actions = new Map<SignalName, string>();
  readonly #pending: SignalName[] = [];
  #wake: (() => void) | undefined;

  constructor(process: Process) {
    this.#process = process;
  }

  /** Sets the action of a signal. Undefined restores the default action; an empty text ignores the signal. */
  set(signal: SignalName, action: string | undefined): void {
    this.#actions.delete(signal);
    if (action === undefined) this.#process.handle(signal, undefined);
    else if (action === '') this.#process.handle(signal, 'ignore');
    else {
      this.#actions.set(signal, action);
      this.#process.handle(signal, () => {
        this.#pending.push(signal);
        this.#wake?.();
      });
    }
  }

  /** Restores the default action of every signal that has a trap. Ignored signals stay ignored. */
  reset(): void {
    for (const signal of this.#actions.keys()) this.#process.handle(signal, undefined);
    this.#actions.clear();
  }

  /** The first pending signal. */
  get first(): SignalName | undefined {
    return this.#pending[0];
  }

  /** Removes the first pending signal and returns its action. */
  take(): string | undefined {
    const signal = this.#pending.shift();
    return signal && (this.#actions.get(signal) ?? '');
  }

  /** Resolves when a trapped signal arrives. */
  arrival(): Promise<void> {
    return new Promise((resolve) => {
      if (this.first === undefined) this.#wake = resolve;
      else resolve();
    });
  }
}
