/** Makes striped fills, which distinguish states without color. */

/** Distance between stripes, in CSS pixels. */
const period = 8;

export class Hatches {
  readonly #patterns = new Map<string, CanvasPattern | null>();
  readonly #context: CanvasRenderingContext2D;
  #ratio = 1;
  #shifts: DOMMatrix[] = [];

  constructor(context: CanvasRenderingContext2D) {
    this.#context = context;
  }

  /** Discards the cached patterns after the theme or the screen has changed. */
  reset(ratio: number): void {
    this.#ratio = ratio;
    this.#patterns.clear();
    this.#shifts = [];
  }

  /**
   * Returns a fill of diagonal stripes in `color`.
   * @param x the left edge of the bar; the stripes move together with it
   */
  fill(color: string, x: number, isRising = true, thickness = 3): CanvasPattern | string {
    const key = `${color} ${isRising} ${thickness}`;
    let pattern = this.#patterns.get(key);
    if (pattern === undefined) {
      pattern = this.#make(color, isRising, thickness);
      this.#patterns.set(key, pattern);
    }
    if (!pattern) return color;
    pattern.setTransform(this.#shift(x));
    return pattern;
  }

  /** Rounds to whole pixels. The stripes then look smooth, and the cache stays small. */
  #shift(x: number): DOMMatrix {
    const pixels = ((Math.round(x) % period) + period) % period;
    return (this.#shifts[pixels] ??= new DOMMatrix([1 / this.#ratio, 0, 0, 1 / this.#ratio, pixels, 0]));
  }

  #make(color: string, isRising: boolean, thickness: number): CanvasPattern | null {
    const tile = document.createElement('canvas');
    const size = Math.round(period * this.#ratio);
    tile.width = size;
    tile.height = size;
    const context = tile.getContext('2d');
    if (!context) return null;
    context.strokeStyle = color;
    context.lineWidth = thickness * this.#ratio * Math.SQRT1_2;
    context.beginPath();
    for (const shift of [-size, 0, size]) {
      context.moveTo(shift - size, isRising ? size * 2 : -size);
      context.lineTo(shift + size * 2, isRising ? -size : size * 2);
    }
    context.stroke();
    return this.#context.createPattern(tile, 'repeat');
  }
}
