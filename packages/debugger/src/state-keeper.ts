/** Keeps the debugger's state: one save at a time, and what changes meanwhile goes with the next. */
import { messageOf } from './errors.ts';
import type { DebugPersistence, KeptDebugState } from './persistence.ts';

export class StateKeeper {
  readonly #persistence: DebugPersistence | undefined;
  readonly #state: () => KeptDebugState;
  readonly #warn: ((message: string) => void) | undefined;
  #changed = false;
  #saving: Promise<void> | undefined;

  /** @param state takes the state down, as it is then */
  constructor(persistence: DebugPersistence | undefined, state: () => KeptDebugState, warn: ((message: string) => void) | undefined) {
    this.#persistence = persistence;
    this.#state = state;
    this.#warn = warn;
  }

  /** Something changed that is to be kept. */
  save(): void {
    if (!this.#persistence) return;
    this.#changed = true;
    this.#saving ??= this.#save(this.#persistence);
  }

  /** Resolves when what was changed last is kept. */
  async saved(): Promise<void> {
    await this.#saving;
  }

  async #save(persistence: DebugPersistence): Promise<void> {
    try {
      while (this.#changed) {
        this.#changed = false;
        await persistence.save(this.#state());
      }
    } catch (error) {
      this.#warn?.(`The breakpoints and faults could not be kept: ${messageOf(error)}`);
    } finally {
      this.#saving = undefined;
    }
  }
}
