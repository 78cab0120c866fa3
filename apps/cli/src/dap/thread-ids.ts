/** Assigns numbers to the node's named threads, because DAP identifies threads by number. */
export class ThreadIds {
  readonly #byName = new Map<string, number>();
  readonly #byId = new Map<number, string>();

  idOf(thread: string): number {
    const known = this.#byName.get(thread);
    if (known !== undefined) return known;
    const id = this.#byName.size + 1;
    this.#byName.set(thread, id);
    this.#byId.set(id, thread);
    return id;
  }

  nameOf(id: number): string | undefined {
    return this.#byId.get(id);
  }
}
