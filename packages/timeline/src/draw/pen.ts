/** Defines the drawing context that all drawing functions share. */
import type { TimeZoneName } from '../base/format.ts';
import type { TimeScale } from '../scale/time-scale.ts';
import type { TimelineWords } from '../words/words.ts';
import type { Hatches } from './hatch.ts';
import type { Shades } from './shades.ts';
import type { TextFitter } from './text.ts';
import type { Theme } from './theme.ts';

export interface Pen {
  readonly context: CanvasRenderingContext2D;
  readonly theme: Theme;
  readonly text: TextFitter;
  readonly hatches: Hatches;
  readonly shades: Shades;
  /** Maps times to pixels from the left edge of the lanes. */
  readonly scale: TimeScale;
  /** The current time, where open items end. */
  readonly now: number;
  readonly zone: TimeZoneName;
  readonly words: TimelineWords;
}

/** Returns a CSS font of `size` pixels, before the theme's scale. */
export function fontOf(theme: Theme, size: number, weight = 500, isMono = false): string {
  const key = size * 2000 + weight + (isMono ? 0.5 : 0);
  let fonts = fontsOf.get(theme);
  if (!fonts) fontsOf.set(theme, (fonts = new Map()));
  let font = fonts.get(key);
  if (font === undefined)
    fonts.set(
      key,
      (font = `${weight} ${Math.round(size * theme.scale * 10) / 10}px ${isMono ? theme.fontMono : theme.font}`),
    );
  return font;
}

/** Caches font texts, because a frame needs thousands of them. */
const fontsOf = new WeakMap<Theme, Map<number, string>>();

/** Rounds to half pixels, which keeps one-pixel lines sharp. */
export const crisp = (value: number): number => Math.round(value) + 0.5;
