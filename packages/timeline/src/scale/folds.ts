/** Maps times to places on an axis from which the folded idle time is removed. */
import { firstIndex } from '../base/search.ts';
import type { Viewport } from './viewport.ts';

/** A range from `start` to `end` that is `shown` milliseconds long on the axis. */
export interface Fold {
  readonly start: number;
  readonly end: number;
  readonly shown: number;
}

export class TimeFolds {
  readonly folds: readonly Fold[];
  /** The value at index i is the number of milliseconds that the first i folds remove in total. */
  readonly #saved: number[] = [0];

  /** @param folds sorted and not overlapping */
  constructor(folds: readonly Fold[]) {
    this.folds = folds;
    for (const { start, end, shown } of folds) this.#saved.push((this.#saved.at(-1) ?? 0) + end - start - shown);
  }

  get isEmpty(): boolean {
    return this.folds.length === 0;
  }

  /** Returns the place of a time on the axis. Before the first fold, the place is the time itself. */
  shown(time: number): number {
    if (this.isEmpty) return time;
    const at = firstIndex(this.folds.length, (index) => (this.folds[index]?.start ?? 0) >= time) - 1;
    const fold = this.folds[at];
    if (!fold) return time;
    if (time >= fold.end) return time - (this.#saved[at + 1] ?? 0);
    return fold.start - (this.#saved[at] ?? 0) + ((time - fold.start) / (fold.end - fold.start)) * fold.shown;
  }

  /** Returns the time at a place of the axis. */
  real(place: number): number {
    if (this.isEmpty) return place;
    const at =
      firstIndex(this.folds.length, (index) => (this.folds[index]?.start ?? 0) - (this.#saved[index] ?? 0) >= place) -
      1;
    const fold = this.folds[at];
    if (!fold) return place;
    const from = fold.start - (this.#saved[at] ?? 0);
    if (place >= from + fold.shown) return place + (this.#saved[at + 1] ?? 0);
    return fold.start + ((place - from) / fold.shown) * (fold.end - fold.start);
  }

  /** Returns the folds that overlap a range. */
  within({ start, end }: Viewport): readonly Fold[] {
    const from = firstIndex(this.folds.length, (index) => (this.folds[index]?.end ?? 0) > start);
    const to = firstIndex(this.folds.length, (index) => (this.folds[index]?.start ?? 0) >= end);
    return this.folds.slice(from, to);
  }

  /** Returns the ranges between folds that overlap a viewport. */
  unfolded(viewport: Viewport): readonly Viewport[] {
    const parts: Viewport[] = [];
    let start = viewport.start;
    for (const fold of this.within(viewport)) {
      if (fold.start > start) parts.push({ start, end: fold.start });
      start = fold.end;
    }
    if (start < viewport.end) parts.push({ start, end: viewport.end });
    return parts;
  }
}

export const noFolds = new TimeFolds([]);
