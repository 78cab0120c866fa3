/** Remembers the times at which a kubelet was not observed: before the first call, and between two debuggers. */

/** A tolerance in milliseconds, because the first call of a sync comes shortly after the start of the sync. */
const tolerance = 40;

/** The newest gaps are kept. A sync isn't judged later than some seconds after its end. */
const kept = 20;

export class Gaps {
  readonly #gaps: { readonly from: number; to: number | undefined }[] = [];

  /** Records that nothing is observed from a time on. Does nothing during a gap. */
  begin(from: number): void {
    const last = this.#gaps.at(-1);
    if (last && last.to === undefined) return;
    this.#gaps.push({ from, to: undefined });
    if (this.#gaps.length > kept) this.#gaps.shift();
  }

  /** Records that the calls are observed again. Does nothing outside a gap. */
  end(to: number): void {
    const last = this.#gaps.at(-1);
    if (last) last.to ??= to;
  }

  /** The end of the newest gap that has ended. */
  get lastEnd(): number {
    return this.#gaps.findLast(({ to }) => to !== undefined)?.to ?? Number.NEGATIVE_INFINITY;
  }

  /** Returns true if calls between two times may be missing. */
  overlap(from: number, to: number): boolean {
    return this.#gaps.some((gap) => to > gap.from && gap.to !== undefined && from < gap.to - tolerance);
  }
}
