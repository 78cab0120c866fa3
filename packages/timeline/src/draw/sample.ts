/** Draws single bars and marks as the timeline does, for a legend. */
import type { Item, Marker } from '../model.ts';
import { timeScale } from '../scale/time-scale.ts';
import { englishWords } from '../words/words.ts';
import { drawBar } from './bar.ts';
import { Hatches } from './hatch.ts';
import { drawHeap } from './marker.ts';
import type { Pen } from './pen.ts';
import { Shades } from './shades.ts';
import { TextFitter } from './text.ts';
import { readTheme } from './theme.ts';

/** A bar or a mark of a legend. A bar fills the sample; an open one fades out at its right end. */
export type Sample =
  | ({ readonly bar: Item['state'] } & Partial<Pick<Item, 'end' | 'progress' | 'failed' | 'injected'>>)
  | ({ readonly mark: Marker['kind'] } & Partial<Pick<Marker, 'badge'>>);

/** Size of a sample in CSS pixels. */
const size = { width: 48, height: 18 };

/** The times at the left and right edge of a sample. */
const viewport = { start: 0, end: 1 };

/**
 * Draws a sample with the theme of the canvas.
 * @param ratio device pixels per CSS pixel
 */
export function drawSample(canvas: HTMLCanvasElement, sample: Sample, ratio: number): void {
  const { width, height } = size;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const context = canvas.getContext('2d');
  if (!context) return;
  context.scale(ratio, ratio);
  const theme = readTheme(canvas);
  const pen: Pen = {
    context,
    theme,
    text: new TextFitter(context),
    hatches: new Hatches(context),
    shades: new Shades(theme),
    scale: timeScale(viewport, width),
    now: viewport.end,
    zone: 'utc',
    words: englishWords,
  };
  const row = { y: 2, height: height - 4 };
  if ('bar' in sample) {
    const { bar, end, ...rest } = sample;
    drawBar(pen, { id: bar, start: 0, end, row: 0, state: bar, label: '', ...rest }, row);
    return;
  }
  const { mark, badge } = sample;
  // A badge lies left of its time.
  const time = badge === undefined ? 0.5 : 0.75;
  const marker: Marker = { id: mark, time, kind: mark, badge, label: '' };
  drawHeap(pen, { marker, first: 0, count: 1, troubles: 0, time }, row, badge === undefined);
}
