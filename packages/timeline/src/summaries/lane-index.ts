/**
 * Indexes a lane for drawing and searching, with summaries of its rows and counts of its markers. An update only reads
 * what has changed.
 */
import type { Lane, Marker } from '../model.ts';
import { MarkerRow } from './marker-row.ts';
import { RowSummary } from './row-summary.ts';

export class LaneIndex {
  lane: Lane;
  readonly rows: RowSummary[] = [];
  /** How many items of each row are settled. */
  #settledRows: number[] = [];
  #settled = 0;
  /** Indexed by row; may be shorter than the number of rows. */
  readonly markerRows: MarkerRow[] = [];
  #markers: readonly Marker[] = [];
  #readUntil = 0;
  #lastMarker: Marker | undefined;

  constructor(lane: Lane) {
    this.lane = lane;
    this.#read(lane);
  }

  /** Updates the index to the lane's next version. */
  update(lane: Lane): void {
    if (lane === this.lane) return;
    const isAppended = lane.items === this.lane.items && lane.settled >= this.#settled;
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
    this.#readMarkers(lane.markers);
  }

  /** Adds the new markers if the known ones haven't changed; otherwise reads all markers again. */
  #readMarkers(markers: readonly Marker[]): void {
    const isLonger =
      markers === this.#markers ||
      (this.#readUntil > 0 && markers[0] === this.#markers[0] && markers[this.#readUntil - 1] === this.#lastMarker);
    if (!isLonger || markers.length < this.#readUntil) {
      this.markerRows.length = 0;
      this.#readUntil = 0;
    }
    for (let at = this.#readUntil; at < markers.length; at++) {
      const marker = markers[at];
      if (!marker) continue;
      while (this.markerRows.length <= (marker.row ?? 0)) this.markerRows.push(new MarkerRow());
      this.markerRows[marker.row ?? 0]?.push(marker);
    }
    this.#markers = markers;
    this.#readUntil = markers.length;
    this.#lastMarker = markers.at(-1);
  }
}
