/**
 * Puts the spans of a thread on lanes, so that on each of them they lie inside each other or beside each other: viewers draw nothing else.
 * A span goes on its parent's lane where that is the innermost there; what runs at the same time gets a lane of its own.
 */

interface Lane {
  readonly number: number;
  /** Open spans, outermost first. */
  readonly open: Slot[];
  /** Where the last one ended. */
  end: number;
}

interface Slot {
  readonly span: number | string;
  readonly start: number;
  readonly lane: Lane;
}

/** A piece of a lane. A span that outlives the one around it is cut in two there. */
export interface Piece {
  readonly lane: number;
  readonly start: number;
  readonly end: number;
  readonly continued: boolean;
}

export class Lanes {
  readonly #lanes: Lane[] = [];
  readonly #slots = new Map<number | string, Slot>();
  /** Where spans that outlived their surroundings were cut. */
  readonly #cuts = new Map<number | string, number>();

  begin(span: number | string, parent: number | string | undefined, time: number): void {
    const around = parent === undefined ? undefined : this.#slots.get(parent)?.lane;
    const lane = around?.open.at(-1)?.span === parent && around ? around : this.#free(time);
    const slot: Slot = { span, start: Math.max(time, lane.open.length === 0 ? lane.end : (lane.open.at(-1)?.start ?? 0)), lane };
    lane.open.push(slot);
    this.#slots.set(span, slot);
  }

  /** The innermost open span of the first lane, which is what the thread itself does. */
  innermost(): number | string | undefined {
    return this.#lanes[0]?.open.at(-1)?.span;
  }

  /** What the span took, in pieces that fit between the others. Empty when it was never begun. */
  end(span: number | string, time: number): readonly Piece[] {
    const slot = this.#slots.get(span);
    if (!slot) return [];
    this.#slots.delete(span);
    const { lane } = slot;
    const at = lane.open.indexOf(slot);
    if (at >= 0) {
      // What is still open inside goes on beside: the part up to here stays.
      const [, ...inside] = lane.open.splice(at);
      for (const inner of inside) this.#cuts.set(inner.span, time);
    }
    const cut = this.#cuts.get(span);
    this.#cuts.delete(span);
    const end = Math.max(slot.start, cut ?? time);
    lane.end = Math.max(lane.end, end);
    const first: Piece = { lane: lane.number, start: slot.start, end, continued: false };
    if (cut === undefined || time <= end) return [first];
    // Behind all that has been drawn by now.
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
