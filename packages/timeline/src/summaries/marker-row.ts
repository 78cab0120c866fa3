/** Indexes the markers of one row and merges those that are too close together. Grows with the row. */
import { firstIndex } from '../base/search.ts';
import { isTrouble, type Marker } from '../model.ts';

/** Merged markers that are too close to distinguish. */
export interface MarkerHeap {
  /** The marker that is drawn for all of them: the first failure or warning; without one, the first marker. */
  readonly marker: Marker;
  readonly first: number;
  readonly count: number;
  readonly troubles: number;
  /** The time at which the merged marker is drawn. */
  readonly time: number;
}

export class MarkerRow {
  readonly markers: Marker[] = [];
  /** The value at index i is the number of failures and warnings among the first i markers. */
  readonly #troubles: number[] = [0];
  /** The longest line that leads away from a marker, in milliseconds. */
  #reach = 0;

  push(marker: Marker): void {
    this.markers.push(marker);
    this.#troubles.push((this.#troubles.at(-1) ?? 0) + (isTrouble(marker) ? 1 : 0));
    this.#reach = Math.max(this.#reach, (marker.until ?? marker.time) - marker.time);
  }

  /**
   * Visits the markers between two times from left to right, and merges markers that are too close together.
   * @param apart the smallest distance of two markers, in ms; it is rounded up to a power of two, so that panning
   * doesn't change the groups
   */
  visit(from: number, to: number, apart: number, visit: (heap: MarkerHeap) => void): void {
    const { markers } = this;
    const width = 2 ** Math.ceil(Math.log2(Math.max(apart, 1e-3)));
    const before = (time: number): number => firstIndex(markers.length, (index) => (markers[index]?.time ?? 0) >= time);
    let first = this.#reach === Number.POSITIVE_INFINITY ? 0 : before(Math.floor((from - this.#reach) / width) * width);
    for (let marker = markers[first]; marker && marker.time <= to; marker = markers[first]) {
      const next = Math.max(first + 1, before((Math.floor(marker.time / width) + 1) * width));
      const troubles = (this.#troubles[next] ?? 0) - (this.#troubles[first] ?? 0);
      const leader = troubles > 0 ? markers.slice(first, next).find(isTrouble) : marker;
      visit({ marker: leader ?? marker, first, count: next - first, troubles, time: marker.time });
      first = next;
    }
  }
}
