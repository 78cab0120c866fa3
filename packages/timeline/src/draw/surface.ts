/** A canvas as large as its place, sharp on any screen. */

export interface Surface {
  readonly canvas: HTMLCanvasElement;
  readonly context: CanvasRenderingContext2D;
  /** CSS pixels. */
  readonly width: number;
  readonly height: number;
  readonly ratio: number;
  /** Sets the size in CSS pixels; true when anything changed, and then the canvas is empty. */
  resize(width: number, height: number, ratio: number): boolean;
  /** Empties it, unless it is opaque, and sets coordinates to CSS pixels. */
  begin(): CanvasRenderingContext2D;
}

/** A canvas laid over `parent`. */
export function createSurface(parent: HTMLElement, options: { readonly opaque: boolean }): Surface {
  const canvas = document.createElement('canvas');
  canvas.style.cssText = 'position:absolute;left:0;top:0;display:block;';
  parent.append(canvas);
  const context = canvas.getContext('2d', { alpha: !options.opaque });
  if (!context) throw new Error("the browser gave no 2D canvas: the timeline can't be drawn");
  let width = 0;
  let height = 0;
  let ratio = 1;
  return {
    canvas,
    context,
    get width() {
      return width;
    },
    get height() {
      return height;
    },
    get ratio() {
      return ratio;
    },
    resize(nextWidth, nextHeight, nextRatio) {
      if (nextWidth === width && nextHeight === height && nextRatio === ratio) return false;
      [width, height, ratio] = [nextWidth, nextHeight, nextRatio];
      canvas.width = Math.max(1, Math.round(width * ratio));
      canvas.height = Math.max(1, Math.round(height * ratio));
      canvas.style.width = `${width}px`;
      canvas.style.height = `${height}px`;
      return true;
    },
    begin() {
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      // What is opaque is filled by whoever draws: emptying it first would be filling it twice.
      if (!options.opaque) context.clearRect(0, 0, width, height);
      return context;
    },
  };
}
