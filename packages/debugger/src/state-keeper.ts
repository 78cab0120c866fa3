/** Saves the debugger's state. One save runs at a time; changes during a save are part of the next one. */
import { errorMessage } from '@podscope/base';
import type { DebugPersistence, KeptDebugState } from './persistence.ts';

export class StateKeeper {
  readonly #persistence: DebugPersistence | undefined;
  readonly #state: () => KeptDebugState;
  readonly #warn: ((message: string) => void) | undefined;
  #changed = false;
  #saving: Promise<void> | undefined;

  /** @param state returns the state at the time of the call */
  constructor(
    persistence: DebugPersistence | undefined,
    state: () => KeptDebugState,
    warn: ((message: string) => void) | undefined,
  ) {
    this.#persistence = persistence;
    this.#state = state;
    this.#warn = warn;
  }

  /** Saves the state soon, because it changed. */
  save(): void {
    if (!this.#persistence) return;
    this.#changed = true;
    this.#saving ??= this.#save(this.#persistence);
  }

  /** Resolves when the last change is saved. */
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
      this.#warn?.(`The breakpoints and faults could not be kept: ${errorMessage(error)}`);
    } finally {
      this.#saving = undefined;
    }
  }
}
