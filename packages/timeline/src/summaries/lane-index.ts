/** A lane ready to be drawn and searched: its rows summed up, its markers countable. Follows the model from version to version. */
import { firstIndex } from '../base/search.ts';
import type { Lane, Marker } from '../model.ts';
import { RowSummary } from './row-summary.ts';

export class LaneIndex {
  lane: Lane;
  readonly rows: RowSummary[] = [];
  /** Items of each row that will not change any more. */
  #settledRows: number[] = [];
  #settled = 0;
  /** At i: how many of the first i markers are bad news. */
  #troubles: number[] = [0];

  constructor(lane: Lane) {
    this.lane = lane;
    this.#read(lane);
  }

  /** Takes over the lane's next version. */
  update(lane: Lane): void {
    if (lane === this.lane) return;
    const isAppended = lane.settled >= this.#settled && lane.items.length >= this.#settled;
    if (!isAppended) {
      this.#settled = 0;
      this.#settledRows = [];
    }
    for (const [at, row] of this.rows.entries()) row.truncate(this.#settledRows[at] ?? 0);
    this.lane = lane;
    this.#read(lane);
  }

  #read(lane: Lane): void {
    while (this.rows.length < lane.rows) this.rows.push(new RowSummary());
    this.rows.length = lane.rows;
    for (let at = this.#settled; at < lane.items.length; at++) {
      const item = lane.items[at];
      if (at === lane.settled) this.#settledRows = this.rows.map(({ length }) => length);
      if (item) this.rows[Math.min(item.row, lane.rows - 1)]?.push(item);
    }
    if (lane.settled >= lane.items.length) this.#settledRows = this.rows.map(({ length }) => length);
    this.#settled = Math.min(lane.settled, lane.items.length);
    this.#troubles = [0];
    for (const [at, { kind }] of lane.markers.entries()) this.#troubles.push((this.#troubles[at] ?? 0) + (isTrouble(kind) ? 1 : 0));
  }

  /**
   * Markers between two times, left to right, those too close together in heaps. Heaps have fixed borders for a zoom, so that panning does not
   * regroup them: `apart` (milliseconds) is rounded up to a power of two.
   */
  visitMarkers(from: number, to: number, apart: number, visit: (heap: MarkerHeap) => void): void {
    const { markers } = this.lane;
    const width = 2 ** Math.ceil(Math.log2(Math.max(apart, 1e-3)));
    const before = (time: number): number => firstIndex(markers.length, (index) => (markers[index]?.time ?? 0) >= time);
    let first = before(Math.floor(from / width) * width);
    for (let marker = markers[first]; marker && marker.time <= to; marker = markers[first]) {
      const next = Math.max(first + 1, before((Math.floor(marker.time / width) + 1) * width));
      const troubles = (this.#troubles[next] ?? 0) - (this.#troubles[first] ?? 0);
      const leader = troubles > 0 ? markers.slice(first, next).find(({ kind }) => isTrouble(kind)) : marker;
      visit({ marker: leader ?? marker, first, count: next - first, troubles, time: marker.time });
      first = next;
    }
  }
}

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

const isTrouble = (kind: Marker['kind']): boolean => kind === 'warning' || kind === 'failure';
