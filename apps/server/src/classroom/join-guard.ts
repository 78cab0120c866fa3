/** Limits how many wrong join codes a machine may send, so that codes can't be guessed. */

/** Maximum number of wrong codes per machine and minute. */
const mostTries = 10;
const window = 60_000;
/** Maximum number of machines whose wrong codes are remembered. */
const mostMachines = 1_000;

export class JoinGuard {
  readonly #now: () => number;
  /** Times of the wrong codes, by the machine's address. */
  readonly #wrong = new Map<string, number[]>();

  /** @param now returns a time in milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  #recent(address: string): number[] {
    return (this.#wrong.get(address) ?? []).filter((time) => this.#now() - time < window);
  }

  /** Returns false if the machine has sent too many wrong codes in the last minute. */
  mayTry(address: string): boolean {
    return this.#recent(address).length < mostTries;
  }

  /** Records that the machine sent a wrong code. */
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
