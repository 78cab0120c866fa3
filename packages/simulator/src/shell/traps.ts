/** A shell's traps: what it does about signals, once the command it waits for is done. */
import type { Process } from '../machine/process.ts';
import type { SignalName } from '../machine/signals.ts';

export class Traps {
  readonly #process: Process;
  readonly #actions = new Map<SignalName, string>();
  readonly #arrived: SignalName[] = [];
  #wake: (() => void) | undefined;

  constructor(process: Process) {
    this.#process = process;
  }

  /** Sets what a signal does: undefined restores the default, an empty action ignores it. */
  set(signal: SignalName, action: string | undefined): void {
    this.#actions.delete(signal);
    if (action === undefined) this.#process.handle(signal, undefined);
    else if (action === '') this.#process.handle(signal, 'ignore');
    else {
      this.#actions.set(signal, action);
      this.#process.handle(signal, () => {
        this.#arrived.push(signal);
        this.#wake?.();
      });
    }
  }

  /** Restores the defaults of what has an action; what is ignored stays so. */
  reset(): void {
    for (const signal of this.#actions.keys()) this.#process.handle(signal, undefined);
    this.#actions.clear();
  }

  /** The first signal that has arrived and was not taken. */
  get first(): SignalName | undefined {
    return this.#arrived[0];
  }

  /** Takes the action of the next signal that has arrived. */
  take(): string | undefined {
    const signal = this.#arrived.shift();
    return signal && (this.#actions.get(signal) ?? '');
  }

  /** Resolves when a signal has arrived. */
  arrival(): Promise<void> {
    return new Promise((resolve) => {
      if (this.first === undefined) this.#wake = resolve;
      else resolve();
    });
  }
}
