import { expect, it } from 'vitest';
import type { Marker } from '../model.ts';
import { noFolds } from '../scale/folds.ts';
import { timeScale } from '../scale/time-scale.ts';
import { drawHeap } from './marker.ts';
import type { Pen } from './pen.ts';

const marker: Marker = { id: 'event:1', time: 100, kind: 'event', label: 'Pulled' };

/** Returns the texts that are drawn for 26 merged markers with `room` pixels to the next markers. */
function textsWith(room: number | undefined): readonly string[] {
  const texts: string[] = [];
  const context = new Proxy(
    {},
    {
      get: (_, name) => (name === 'fillText' ? (text: string) => texts.push(text) : () => undefined),
      set: () => true,
    },
  );
  const pen = {
    context,
    theme: { scale: 1, marker: 'blue', bg: 'white', textMuted: 'gray', font: 'sans', mono: 'mono' },
    text: { use: () => undefined, width: (text: string) => text.length * 6 },
    scale: timeScale({ start: 0, end: 1_000 }, 1_000, noFolds),
    now: 1_000,
  } as unknown as Pen;
  drawHeap(pen, { marker, first: 0, count: 26, troubles: 0, time: 100 }, { y: 0, height: 20 }, true, room);
  return texts;
}

it('draws the count of merged markers only if it fits before the next marker', () => {
  expect(textsWith(undefined)).toEqual(['26']);
  expect(textsWith(60)).toEqual(['26']);
  expect(textsWith(20)).toEqual([]);
});
