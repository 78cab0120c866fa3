/**
 * Distributes the spans of a thread over lanes. Viewers can draw the spans of a lane only if they are nested or don't
 * overlap. A span is on its parent's lane if the parent is the innermost open span on that lane. Spans that run at the
 * same time are on different lanes.
 */

interface Lane {
  readonly number: number;
  /** The open spans, the outermost first. */
  readonly open: Slot[];
  /** The end of the last span on the lane. */
  end: number;
}

interface Slot {
  readonly span: number | string;
  readonly start: number;
  readonly lane: Lane;
}

/** A part of a span on a lane. A span that ends after its parent on the lane is split in two. */
export interface Piece {
  readonly lane: number;
  readonly start: number;
  readonly end: number;
  readonly continued: boolean;
}

export class Lanes {
  readonly #lanes: Lane[] = [];
  readonly #slots = new Map<number | string, Slot>();
  /** The times at which spans were split because their parents ended before them. */
  readonly #cuts = new Map<number | string, number>();

  begin(span: number | string, parent: number | string | undefined, time: number): void {
    const around = parent === undefined ? undefined : this.#slots.get(parent)?.lane;
    const lane = around?.open.at(-1)?.span === parent && around ? around : this.#free(time);
    const slot: Slot = {
      span,
      start: Math.max(time, lane.open.length === 0 ? lane.end : (lane.open.at(-1)?.start ?? 0)),
      lane,
    };
    lane.open.push(slot);
    this.#slots.set(span, slot);
  }

  /** Returns the innermost open span of the first lane, which contains the thread's own work. */
  innermost(): number | string | undefined {
    return this.#lanes[0]?.open.at(-1)?.span;
  }

  /**
   * Returns the pieces of a span that has ended. They don't overlap other pieces on their lanes. Empty for an unknown
   * span.
   */
  end(span: number | string, time: number): readonly Piece[] {
    const slot = this.#slots.get(span);
    if (!slot) return [];
    this.#slots.delete(span);
    const { lane } = slot;
    const at = lane.open.indexOf(slot);
    if (at >= 0) {
      // An inner span that is still open continues on another lane. Its part up to this time stays on this lane.
      const [, ...inside] = lane.open.splice(at);
      for (const inner of inside) this.#cuts.set(inner.span, time);
    }
    const cut = this.#cuts.get(span);
    this.#cuts.delete(span);
    const end = Math.max(slot.start, cut ?? time);
    lane.end = Math.max(lane.end, end);
    const first: Piece = { lane: lane.number, start: slot.start, end, continued: false };
    if (cut === undefined || time <= end) return [first];
    // The rest begins after all pieces that are already on the lane.
    const rest = this.#free(end);
    const start = Math.max(end, rest.end);
    rest.end = Math.max(rest.end, time);
    return start < time ? [first, { lane: rest.number, start, end: time, continued: true }] : [first];
  }

  #free(time: number): Lane {
    let lane = this.#lanes.find(({ open, end }) => open.length === 0 && end <= time);
    if (!lane) {
      lane = { number: this.#lanes.length, open: [], end: 0 };
      this.#lanes.push(lane);
    }
    return lane;
  }
}
