/** Saves the debugger's state. Only one save runs at a time; a change during a save is saved by the next one. */
import { errorMessage } from '@podscope/base';
import type { DebugPersistence, KeptDebugState } from './persistence.ts';

export class StateSaver {
  readonly #persistence: DebugPersistence | undefined;
  readonly #state: () => KeptDebugState;
  readonly #warn: ((message: string) => void) | undefined;
  #changed = false;
  #saving: Promise<void> | undefined;

  /** @param state returns the state to save */
  constructor(
    persistence: DebugPersistence | undefined,
    state: () => KeptDebugState,
    warn: ((message: string) => void) | undefined,
  ) {
    this.#persistence = persistence;
    this.#state = state;
    this.#warn = warn;
  }

  /** Schedules a save, after a change of the state. */
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
