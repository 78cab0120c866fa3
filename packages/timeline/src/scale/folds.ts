/** Idle time that is drawn short: a map between times and their places on an axis from which the folded stretches are taken out. */
import { firstIndex } from '../base/search.ts';
import type { Viewport } from './viewport.ts';

/** A stretch from `start` to `end` that takes only `shown` milliseconds of the axis. */
export interface Fold {
  readonly start: number;
  readonly end: number;
  readonly shown: number;
}

export class TimeFolds {
  readonly folds: readonly Fold[];
  /** At i: how much the first i folds take away. */
  readonly #saved: number[] = [0];

  /** @param folds in order, not overlapping */
  constructor(folds: readonly Fold[]) {
    this.folds = folds;
    for (const { start, end, shown } of folds) this.#saved.push((this.#saved.at(-1) ?? 0) + end - start - shown);
  }

  get isEmpty(): boolean {
    return this.folds.length === 0;
  }

  /** Where a time stands on the axis: its own value as long as nothing before it is folded. */
  shown(time: number): number {
    if (this.isEmpty) return time;
    const at = firstIndex(this.folds.length, (index) => (this.folds[index]?.start ?? 0) >= time) - 1;
    const fold = this.folds[at];
    if (!fold) return time;
    if (time >= fold.end) return time - (this.#saved[at + 1] ?? 0);
    return fold.start - (this.#saved[at] ?? 0) + ((time - fold.start) / (fold.end - fold.start)) * fold.shown;
  }

  /** The time at a place of the axis. */
  real(place: number): number {
    if (this.isEmpty) return place;
    const at = firstIndex(this.folds.length, (index) => (this.folds[index]?.start ?? 0) - (this.#saved[index] ?? 0) >= place) - 1;
    const fold = this.folds[at];
    if (!fold) return place;
    const from = fold.start - (this.#saved[at] ?? 0);
    if (place >= from + fold.shown) return place + (this.#saved[at + 1] ?? 0);
    return fold.start + ((place - from) / fold.shown) * (fold.end - fold.start);
  }

  /** The folds that reach into a stretch. */
  within({ start, end }: Viewport): readonly Fold[] {
    const from = firstIndex(this.folds.length, (index) => (this.folds[index]?.end ?? 0) > start);
    const to = firstIndex(this.folds.length, (index) => (this.folds[index]?.start ?? 0) >= end);
    return this.folds.slice(from, to);
  }

  /** The stretches between folds that reach into a viewport. */
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
