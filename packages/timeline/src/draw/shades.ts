/**
 * Caches the colors of bars that are covered only partly. They are mixed with the background, and mixing them for each
 * bar would be expensive.
 */
import type { ItemState } from '../model.ts';
import type { Theme } from './theme.ts';

/** Number of shades between nearly empty and full. */
const steps = 4;

export class Shades {
  readonly #context: CanvasRenderingContext2D | null;
  readonly #known = new Map<ItemState, (string | undefined)[]>();
  readonly #faded = new Map<string, string>();
  #theme: Theme;

  constructor(theme: Theme) {
    this.#theme = theme;
    const canvas = document.createElement('canvas');
    canvas.width = 1;
    canvas.height = 1;
    this.#context = canvas.getContext('2d', { willReadFrequently: true });
  }

  reset(theme: Theme): void {
    this.#theme = theme;
    this.#known.clear();
    this.#faded.clear();
  }

  /**
   * Returns the color of a merged bar.
   * @param share how much of the bar its items cover, from 0 to 1
   */
  of(state: ItemState, share: number): string {
    const step = Math.min(steps, Math.max(1, Math.ceil(share * steps)));
    let shades = this.#known.get(state);
    if (!shades) {
      shades = [];
      this.#known.set(state, shades);
    }
    return (shades[step] ??= this.#mix(
      state === 'backoff' ? this.#theme.backoffStripe : this.#theme.states[state].fill,
      0.4 + (0.6 * step) / steps,
    ));
  }

  /**
   * Returns the color at a strength of 30 %. Results are cached, because parsing a mixed color costs more than drawing
   * with it.
   */
  faded(color: string): string {
    let faded = this.#faded.get(color);
    if (faded === undefined) this.#faded.set(color, (faded = this.#resolve(color)));
    return faded;
  }

  #resolve(color: string): string {
    const context = this.#context;
    if (!context) return color;
    context.globalAlpha = 1;
    context.fillStyle = color;
    context.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
    return `rgb(${red} ${green} ${blue} / 30%)`;
  }

  #mix(color: string, alpha: number): string {
    const context = this.#context;
    if (!context) return color;
    context.globalAlpha = 1;
    context.fillStyle = this.#theme.bg;
    context.fillRect(0, 0, 1, 1);
    context.globalAlpha = alpha;
    context.fillStyle = color;
    context.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
    return `rgb(${red} ${green} ${blue})`;
  }
}
