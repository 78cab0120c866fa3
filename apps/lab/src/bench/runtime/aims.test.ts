import { expect, it } from 'vitest';
import { meets } from '../ui/figure.ts';
import { judged, ratioFigures } from './aims.ts';

it('compares each ratio with its own limit and accepts a value equal to the limit', () => {
  const figures = ratioFigures({ inProcess: 1.1, overGrpc: 1.1512 });
  expect(figures.map(meets)).toEqual([true, false]);
  expect(figures.map(judged)).toEqual([
    'ok   (a) dockershim in process, start and removal together  ×1.100 (≤ 1.10)',
    'MISS (b) dockershim over gRPC, start and removal together   ×1.151 (≤ 1.15)',
  ]);
});

it('reports a missing measurement as a miss', () => {
  expect(ratioFigures({ inProcess: Number.NaN, overGrpc: 1 }).map(meets)).toEqual([false, true]);
});
