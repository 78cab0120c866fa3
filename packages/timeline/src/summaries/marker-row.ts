/** The markers of one row, countable: those too close together come in heaps. Follows the row as it grows. */
import { firstIndex } from '../base/search.ts';
import { isTrouble, type Marker } from '../model.ts';

/** Markers too close to be told apart. */
export interface MarkerHeap {
  /** The one that stands for all: the first that is bad news, else the first. */
  readonly marker: Marker;
  readonly first: number;
  readonly count: number;
  readonly troubles: number;
  /** Where the heap is drawn. */
  readonly time: number;
}

export class MarkerRow {
  readonly markers: Marker[] = [];
  /** At i: how many of the first i markers are bad news. */
  readonly #troubles: number[] = [0];
  /** Longest line that leads away from a marker. */
  #reach = 0;

  push(marker: Marker): void {
    this.markers.push(marker);
    this.#troubles.push((this.#troubles.at(-1) ?? 0) + (isTrouble(marker) ? 1 : 0));
    this.#reach = Math.max(this.#reach, (marker.until ?? marker.time) - marker.time);
  }

  /**
   * Markers between two times, left to right, those too close together in heaps. Heaps have fixed borders for a zoom, so that panning does not
   * regroup them: `apart` (milliseconds) is rounded up to a power of two.
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
