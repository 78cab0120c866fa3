/** Draws the canvases of a timeline: the lanes, the overlay and the minimap. */
import { formatDuration, type TimeZoneName } from './base/format.ts';
import { axisTicks, drawAxis, drawGrid } from './draw/axis.ts';
import { drawFoldLabels, drawFolds } from './draw/fold.ts';
import { drawGutter } from './draw/gutter.ts';
import { Hatches } from './draw/hatch.ts';
import { drawLanes } from './draw/lanes.ts';
import { drawMinimapLanes, drawMinimapWindow, minimapScale } from './draw/minimap.ts';
import { drawOverlay, type Highlight } from './draw/overlay.ts';
import { fontOf, type Pen } from './draw/pen.ts';
import { Shades } from './draw/shades.ts';
import { createSurface, type Surface } from './draw/surface.ts';
import { TextFitter } from './draw/text.ts';
import type { Theme } from './draw/theme.ts';
import type { TimeFolds } from './scale/folds.ts';
import { type TimeScale, timeScale } from './scale/time-scale.ts';
import { type Domain, lengthOf, type Viewport } from './scale/viewport.ts';
import type { LaneIndex } from './summaries/lane-index.ts';
import { type Layout, sizes } from './view/layout.ts';
import type { TimelineWords } from './words/words.ts';

/** All values on which the drawing depends. */
export interface Scene {
  readonly layout: Layout;
  readonly indexes: ReadonlyMap<string, LaneIndex>;
  readonly viewport: Viewport;
  readonly folds: TimeFolds;
  readonly domain: Domain;
  readonly origin: number;
  /** The end of the recorded time. */
  readonly end: number;
  readonly live: boolean;
  readonly now: number;
  readonly zone: TimeZoneName;
  readonly scrollTop: number;
  readonly selection: Highlight | undefined;
  readonly hover: Highlight | undefined;
  readonly cursor: number | undefined;
  readonly pointedLane: string | undefined;
  readonly range: Viewport | undefined;
  readonly pointerX: number | undefined;
  readonly focused: boolean;
  readonly minimapActive: boolean;
}

/** Maximum width of the lane names, as a share of the whole. */
const gutterShare = 0.34;

export class Painter {
  readonly base: Surface;
  readonly overlay: Surface;
  readonly minimap: Surface;
  readonly #minimapLanes: HTMLCanvasElement;
  readonly #text: TextFitter;
  readonly #overlayText: TextFitter;
  readonly #minimapText: TextFitter;
  readonly #hatches: Hatches;
  readonly #shades: Shades;
  readonly #words: TimelineWords;
  #theme: Theme;
  #minimapKey = '';
  /** Identifies the content of the last overlay, if that content doesn't depend on the visible range. */
  #overlayKey: string | undefined;

  constructor(root: HTMLElement, theme: Theme, words: TimelineWords) {
    this.#theme = theme;
    this.#words = words;
    this.base = createSurface(root, { opaque: true });
    this.overlay = createSurface(root, { opaque: false });
    this.minimap = createSurface(root, { opaque: true });
    this.#minimapLanes = document.createElement('canvas');
    this.#text = new TextFitter(this.base.context);
    this.#overlayText = new TextFitter(this.overlay.context);
    this.#minimapText = new TextFitter(this.minimap.context);
    this.#hatches = new Hatches(this.base.context);
    this.#shades = new Shades(theme);
  }

  get gutter(): number {
    // In a narrow timeline, the names get less room, so that most of it is left for the lanes.
    return Math.round(Math.min(sizes.gutter * this.#theme.scale, this.base.width * gutterShare));
  }

  get axis(): number {
    return Math.round(sizes.axis * this.#theme.scale);
  }

  get minimapHeight(): number {
    return Math.round(sizes.minimap * this.#theme.scale);
  }

  /** The size of the area in which lanes are drawn. */
  get plot(): { readonly width: number; readonly height: number } {
    return {
      width: Math.max(1, this.base.width - this.gutter - sizes.scrollbar),
      height: Math.max(0, this.base.height - this.minimapHeight - this.axis),
    };
  }

  setTheme(theme: Theme): void {
    this.#theme = theme;
    this.forgetText();
    this.#shades.reset(theme);
    this.#hatches.reset(this.base.ratio);
    this.#minimapKey = '';
    this.#overlayKey = undefined;
  }

  /** Discards measured widths after fonts have loaded. */
  forgetText(): void {
    this.#text.clear();
    this.#overlayText.clear();
    this.#minimapText.clear();
  }

  /** Fits the canvases to the host. Returns true if anything changed. */
  resize(width: number, height: number, ratio: number): boolean {
    const isOther = this.base.resize(width, height, ratio);
    // Resizing a canvas resets its font.
    if (isOther) this.forgetText();
    this.overlay.resize(width, height, ratio);
    this.minimap.resize(width, this.minimapHeight, ratio);
    if (isOther) {
      this.#hatches.reset(ratio);
      this.#minimapKey = '';
      this.#overlayKey = undefined;
    }
    return isOther;
  }

  scale(viewport: Viewport, folds: TimeFolds): TimeScale {
    return timeScale(viewport, this.plot.width, folds);
  }

  minimapScale(domain: Domain, folds: TimeFolds): TimeScale {
    return minimapScale(domain, this.plot.width, folds);
  }

  #pen(context: CanvasRenderingContext2D, text: TextFitter, scene: Scene): Pen {
    return {
      context,
      text,
      theme: this.#theme,
      hatches: this.#hatches,
      shades: this.#shades,
      scale: this.scale(scene.viewport, scene.folds),
      words: this.#words,
      now: scene.now,
      zone: scene.zone,
    };
  }

  /** Runs `draw` clipped to a rectangle whose top left is the origin. */
  #inside(
    context: CanvasRenderingContext2D,
    x: number,
    y: number,
    width: number,
    height: number,
    draw: () => void,
  ): void {
    context.save();
    context.beginPath();
    context.rect(x, y, width, height);
    context.clip();
    context.translate(x, y);
    draw();
    context.restore();
    this.#text.release();
    this.#overlayText.release();
    this.#minimapText.release();
  }

  /** Draws the lanes, their names and the axis. */
  paintBase(scene: Scene): void {
    const context = this.base.begin();
    const theme = this.#theme;
    const pen = this.#pen(context, this.#text, scene);
    const { width, height } = this.plot;
    const top = this.minimapHeight;
    const ticks = axisTicks(pen.scale, scene.origin, scene.zone, theme.scale);
    const lanesTop = top + this.axis;
    const shown = { from: scene.scrollTop, to: scene.scrollTop + height };
    context.fillStyle = theme.bg;
    context.fillRect(0, 0, this.base.width, this.base.height);
    this.#inside(context, this.gutter, lanesTop, width, height, () => {
      context.translate(0, -scene.scrollTop);
      context.fillStyle = theme.bgAlt;
      for (const box of scene.layout.boxes) if (box.index % 2 === 1) context.fillRect(0, box.y, width, box.height);
      drawGrid(pen, ticks, shown.from, shown.to);
      drawLanes(pen, scene.layout, scene.indexes, shown.from, shown.to);
      drawFolds(pen, shown.from, shown.to);
    });
    this.#inside(context, this.gutter, top, width, this.axis, () => {
      drawAxis(pen, ticks, scene.origin, this.axis);
      drawFoldLabels(pen, this.axis);
    });
    context.fillStyle = theme.gutter;
    context.fillRect(0, top, this.gutter, this.base.height - top);
    this.#inside(context, 0, lanesTop, this.gutter, height, () => {
      context.translate(0, -scene.scrollTop);
      drawGutter(pen, scene.layout, this.gutter, shown.from, shown.to);
    });
    this.#paintCorner(pen, scene, top);
    context.fillStyle = theme.border;
    context.fillRect(0, lanesTop - 1, this.base.width, 1);
    context.fillRect(this.gutter - 1, top, 1, this.base.height - top);
  }

  /** Draws the length of the visible range in the corner above the names. */
  #paintCorner({ context, theme, text }: Pen, scene: Scene, top: number): void {
    const left = 14 * theme.scale;
    context.textBaseline = 'middle';
    text.use(fontOf(theme, 12, 600));
    context.fillStyle = theme.text;
    context.fillText(formatDuration(lengthOf(scene.viewport)), left, top + this.axis * 0.3);
    text.use(fontOf(theme, 10.5, 450));
    context.fillStyle = theme.textMuted;
    context.fillText(this.#words.inView, left, top + this.axis * 0.7);
  }

  /** Draws the overlay: the parts that can change while the lanes stay the same. */
  paintOverlay(scene: Scene): void {
    const { live, cursor, range, selection, hover, pointerX, pointedLane } = scene;
    const isStill =
      !live &&
      cursor === undefined &&
      pointerX === undefined &&
      pointedLane === undefined &&
      !range &&
      !selection &&
      !hover;
    // If the overlay has no content at a certain time, it doesn't depend on the visible range.
    const key = isStill ? `${scene.focused} ${scene.scrollTop} ${scene.layout.height}` : undefined;
    if (key !== undefined && key === this.#overlayKey) return;
    this.#overlayKey = key;
    const context = this.overlay.begin();
    const pen = this.#pen(context, this.#overlayText, scene);
    const { width, height } = this.plot;
    const full = this.axis + height;
    this.#inside(context, this.gutter, this.minimapHeight, width + sizes.scrollbar, full, () => {
      drawOverlay(pen, { ...scene, axis: this.axis, height: full });
      if (scene.layout.height > height) this.#paintScrollbar(pen, scene, width, height);
    });
  }

  #paintScrollbar({ context, theme }: Pen, scene: Scene, width: number, height: number): void {
    const share = height / scene.layout.height;
    context.fillStyle = theme.textMuted;
    context.globalAlpha = 0.45;
    context.beginPath();
    context.roundRect(
      width,
      this.axis + scene.scrollTop * share + 2,
      sizes.scrollbar - 3,
      Math.max(18, height * share - 4),
      3,
    );
    context.fill();
    context.globalAlpha = 1;
  }

  /** Draws the minimap. Redraws its lanes only if `key` or their scale has changed. */
  paintMinimap(scene: Scene, key: string): void {
    const { width: full, height, ratio } = this.minimap;
    const theme = this.#theme;
    const { width } = this.plot;
    const scale = this.minimapScale(scene.domain, scene.folds);
    // Growth of less than half a pixel isn't visible.
    const grown =
      `${key} ${scene.folds.folds.length} ${Math.round(scale.viewport.end / (scale.msPerPixel / 2))} ` +
      `${Math.round(scene.now / Math.max(1, scale.msPerPixel / 2))}`;
    if (grown !== this.#minimapKey) {
      this.#minimapKey = grown;
      this.#minimapLanes.width = Math.max(1, Math.round(width * ratio));
      this.#minimapLanes.height = Math.max(1, Math.round(height * ratio));
      const lanes = this.#minimapLanes.getContext('2d');
      if (lanes) {
        lanes.setTransform(ratio, 0, 0, ratio, 0, 0);
        const ordered = scene.layout.boxes.flatMap(({ lane }) => scene.indexes.get(lane.id) ?? []);
        drawMinimapLanes(lanes, theme, ordered, scale, height, scene.now);
      }
    }
    const context = this.minimap.begin();
    context.fillStyle = theme.bg;
    context.fillRect(0, 0, full, height);
    context.drawImage(this.#minimapLanes, this.gutter, 0, width, height);
    this.#inside(context, this.gutter, 0, width, height, () =>
      drawMinimapWindow(context, theme, scale, scene.viewport, height, scene.minimapActive),
    );
    context.fillStyle = theme.gutter;
    context.fillRect(0, 0, this.gutter, height);
    this.#paintTotal(context, scene, height);
    context.fillStyle = theme.border;
    context.fillRect(0, height - 1, full, 1);
    context.fillRect(this.gutter - 1, 0, 1, height);
  }

  #paintTotal(context: CanvasRenderingContext2D, scene: Scene, height: number): void {
    const theme = this.#theme;
    const text = this.#minimapText;
    const end = scene.live ? scene.now : scene.end;
    context.textBaseline = 'middle';
    text.use(fontOf(theme, 12, 600));
    context.fillStyle = theme.text;
    context.fillText(formatDuration(Math.max(0, end - scene.origin)), 14 * theme.scale, height * 0.34);
    text.use(fontOf(theme, 10.5, 450));
    context.fillStyle = theme.textMuted;
    context.fillText(scene.live ? this.#words.untilNow : this.#words.inAll, 14 * theme.scale, height * 0.68);
  }
}
