/** Limits how often a machine may try join codes, so that a code can't be guessed. */

/** Wrong codes per machine and minute. */
const mostTries = 10;
const window = 60_000;
/** Machines that are remembered. */
const mostMachines = 1_000;

export class JoinGuard {
  readonly #now: () => number;
  /** Times of wrong codes, by address. */
  readonly #wrong = new Map<string, number[]>();

  /** @param now returns milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  #recent(address: string): number[] {
    return (this.#wrong.get(address) ?? []).filter((time) => this.#now() - time < window);
  }

  /** Returns false after too many wrong codes. */
  mayTry(address: string): boolean {
    return this.#recent(address).length < mostTries;
  }

  /** Records a wrong code. */
  wasWrong(address: string): void {
    const recent = this.#recent(address);
    this.#wrong.delete(address);
    if (this.#wrong.size >= mostMachines) {
      const [oldest] = this.#wrong.keys();
      if (oldest !== undefined) this.#wrong.delete(oldest);
    }
    this.#wrong.set(address, [...recent, this.#now()]);
  }
}
