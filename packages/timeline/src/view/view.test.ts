import { describe, expect, it } from 'vitest';
import type { Item, TimelineModel } from '../model.ts';
import { lengthOf } from '../scale/viewport.ts';
import { View } from './view.ts';

const origin = Date.UTC(2026, 0, 5);
const modelWith = (items: readonly Item[], end = origin + 60_000, live = true): TimelineModel => ({
  lanes: [{ id: 'l', kind: 'container', label: 'l', rows: 1, items, markers: [], settled: 0 }],
  origin,
  end,
  live,
});
const viewOf = (model: TimelineModel, now = origin + 60_000): View => {
  const view = new View();
  view.isStill = true;
  view.width = 1000;
  view.setModel(model, now);
  return view;
};

describe('View', () => {
  it('starts with the whole range of a live run and grows with it', () => {
    const view = viewOf(modelWith([]));
    expect(view.follow).toBe('fit');
    expect(view.viewport.start).toBeLessThan(origin);
    view.advance(16, origin + 120_000);
    expect(view.viewport.end).toBeGreaterThan(origin + 120_000);
    expect(view.viewport.start).toBeLessThan(origin);
  });

  it('slides after zooming and keeps the length', () => {
    const view = viewOf(modelWith([]));
    view.zoom(4, undefined, origin + 60_000);
    const length = lengthOf(view.viewport);
    expect(view.follow).toBe('slide');
    view.advance(16, origin + 90_000);
    expect(lengthOf(view.viewport)).toBeCloseTo(length, 3);
    expect(view.viewport.end).toBeGreaterThan(origin + 90_000);
  });

  it('stops following after panning, and follows again on request', () => {
    const view = viewOf(modelWith([]));
    view.zoom(4, undefined, origin + 60_000);
    view.pan(-10_000, origin + 60_000);
    const { viewport } = view;
    expect(view.follow).toBe('off');
    expect(view.advance(16, origin + 90_000)).toBe(false);
    expect(view.viewport).toBe(viewport);
    view.setFollow(true, origin + 90_000);
    expect(view.follow).toBe('slide');
    expect(view.viewport.end).toBeGreaterThan(origin + 90_000);
  });

  it('keeps the end in view while events follow the deletion of the pod', () => {
    const view = viewOf(modelWith([]));
    view.setModel(modelWith([], origin + 70_000, false), origin + 70_000);
    view.setModel(modelWith([], origin + 90_000, false), origin + 90_000);
    expect(view.viewport.end).toBeGreaterThan(origin + 90_000);
    view.pan(-10_000, origin + 90_000);
    const { viewport } = view;
    view.setModel(modelWith([], origin + 95_000, false), origin + 95_000);
    expect(view.viewport).toBe(viewport);
  });

  it('zooms at the pointer and stops following when the wheel turns', () => {
    const view = viewOf(modelWith([]));
    const share = (): number => (origin + 1_000 - view.viewport.start) / lengthOf(view.viewport);
    const before = share();
    view.zoom(8, origin + 1_000, origin + 60_000, false);
    expect(view.follow).toBe('off');
    expect(share()).toBeCloseTo(before, 6);
  });

  it('shows the end of a followed pod that is deleted, and follows its successor', () => {
    const view = viewOf(modelWith([], origin + 9_000), origin + 9_000);
    view.setModel(modelWith([], origin + 20_000, false), origin + 20_000);
    view.advance(16, origin + 20_000);
    expect(view.follow).toBe('off');
    expect(view.viewport.end).toBeGreaterThan(origin + 20_000);
    view.setModel(modelWith([], origin + 21_000), origin + 21_000);
    expect(view.follow).toBe('fit');
  });

  it("doesn't follow a successor after the user has moved the view", () => {
    const view = viewOf(modelWith([], origin + 9_000), origin + 9_000);
    view.setModel(modelWith([], origin + 20_000, false), origin + 20_000);
    view.pan(-1_000, origin + 20_000);
    view.setModel(modelWith([], origin + 21_000), origin + 21_000);
    expect(view.follow).toBe('off');
  });

  it('draws no frame for less than half a pixel', () => {
    const view = viewOf(modelWith([]));
    view.advance(16, origin + 60_000);
    expect(view.advance(16, origin + 60_010)).toBe(false);
    expect(view.advance(16, origin + 60_500)).toBe(true);
  });

  it('leaves room for a back-off that ends in the future, within bounds', () => {
    const item: Item = { id: 'b', start: origin + 50_000, end: origin + 70_000, row: 0, state: 'backoff', label: 'b' };
    expect(viewOf(modelWith([item])).viewport.end).toBeGreaterThan(origin + 70_000);
    expect(viewOf(modelWith([{ ...item, end: origin + 360_000 }])).viewport.end).toBeLessThan(origin + 90_000);
  });

  it("doesn't follow a run that has ended", () => {
    const view = viewOf(modelWith([], origin + 60_000, false));
    expect(view.follow).toBe('off');
    view.setFollow(true, origin + 99_000);
    expect(view.follow).toBe('off');
    expect(view.viewport.end).toBeLessThan(origin + 70_000);
  });

  it('moves smoothly to a goal unless motion is reduced', () => {
    const view = viewOf(modelWith([]));
    view.isStill = false;
    view.show({ start: origin + 1000, end: origin + 2000 }, origin + 60_000);
    expect(view.isMoving).toBe(true);
    for (let frame = 0; frame < 200 && view.isMoving; frame++) view.advance(16, origin + 60_000);
    expect(view.viewport).toEqual({ start: origin + 850, end: origin + 2150 });
  });
});
