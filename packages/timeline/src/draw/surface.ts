/** Creates canvases that fill their parent and stay sharp at any pixel ratio. */

export interface Surface {
  readonly canvas: HTMLCanvasElement;
  readonly context: CanvasRenderingContext2D;
  /** The width in CSS pixels. */
  readonly width: number;
  /** The height in CSS pixels. */
  readonly height: number;
  /** Device pixels per CSS pixel. */
  readonly ratio: number;
  /** Sets the size in CSS pixels. Returns true if anything changed; the canvas is then empty. */
  resize(width: number, height: number, ratio: number): boolean;
  /** Clears the canvas unless it is opaque, and scales the context to CSS pixels. */
  begin(): CanvasRenderingContext2D;
}

/** Creates a canvas that covers `parent`. */
export function createSurface(parent: HTMLElement, options: { readonly opaque: boolean }): Surface {
  const canvas = document.createElement('canvas');
  canvas.style.cssText = 'position:absolute;left:0;top:0;display:block;';
  parent.append(canvas);
  const context = canvas.getContext('2d', { alpha: !options.opaque });
  if (!context) throw new Error("the browser returned no 2D context: the timeline can't be drawn");
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
      // An opaque canvas isn't cleared, because the caller fills it anyway.
      if (!options.opaque) context.clearRect(0, 0, width, height);
      return context;
    },
  };
}
