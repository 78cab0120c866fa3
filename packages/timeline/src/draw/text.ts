/** Measures texts and caches their widths. Cuts texts that are too long and adds an ellipsis. */

/** The maximum number of cached widths per font. When it is reached, the cache is cleared. */
const limit = 4000;

export class TextFitter {
  readonly #context: CanvasRenderingContext2D;
  readonly #fonts = new Map<string, Map<string, number>>();
  #font = '';
  #widths = new Map<string, number>();

  constructor(context: CanvasRenderingContext2D) {
    this.#context = context;
  }

  /** Discards all widths after fonts have changed. */
  clear(): void {
    this.#fonts.clear();
    this.release();
  }

  /**
   * Sets the font of the context. Its value is cached, because reading it from the context is slow; call {@link
   * release} after `save` or `restore`.
   */
  use(font: string): void {
    if (font === this.#font) return;
    this.#font = font;
    this.#context.font = font;
    this.#widths = this.#fonts.get(font) ?? new Map();
    this.#fonts.set(font, this.#widths);
  }

  /** Invalidates the cached font after the context's font may have changed. */
  release(): void {
    this.#font = '';
  }

  /** Returns the width of `text` in the current font, in CSS pixels. */
  width(text: string): number {
    let width = this.#widths.get(text);
    if (width === undefined) {
      if (this.#widths.size >= limit) this.#widths.clear();
      width = this.#context.measureText(text).width;
      this.#widths.set(text, width);
    }
    return width;
  }

  /** Returns `text` cut to `available` pixels, or an empty string if not even two characters fit. */
  fit(text: string, available: number): string {
    if (available < 12 || text === '') return '';
    const whole = this.width(text);
    return whole <= available ? text : this.#cut(text, available, whole);
  }

  /** Returns `text` cut in the middle to `available` pixels, because the ends of names differ. */
  fitMiddle(text: string, available: number): string {
    const whole = this.width(text);
    if (whole <= available) return text;
    let kept = Math.floor(((available - this.width('…')) / whole) * text.length) + 1;
    const cut = (): string => `${text.slice(0, Math.ceil(kept / 2))}…${text.slice(text.length - Math.floor(kept / 2))}`;
    while (kept > 3 && this.width(cut()) > available) kept--;
    return kept > 3 ? cut() : this.fit(text, available);
  }

  #cut(text: string, available: number, whole: number): string {
    // Begins with a length that is computed from the mean width of a character, so that only a few texts are measured.
    let length = Math.min(text.length - 1, Math.floor(((available - this.width('…')) / whole) * text.length) + 1);
    while (length > 1 && this.width(`${text.slice(0, length)}…`) > available) length--;
    return length > 1 ? `${text.slice(0, length).trimEnd()}…` : '';
  }
}
