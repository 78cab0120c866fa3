import { describe, expect, it } from 'vitest';
import { listEntries } from '../accessibility/list-entries.ts';
import type { Item, Lane, TimelineModel } from '../model.ts';
import { describeItem, describeMarker, itemText, markerText, tableRows } from './describe.ts';
import { englishWords } from './words.ts';

const origin = Date.UTC(2026, 0, 5, 9);
const run: Item = {
  id: 'run',
  start: origin + 5000,
  end: origin + 8000,
  row: 0,
  state: 'running',
  label: 'running',
  failed: true,
  error: 'exit 1',
};
const backOff: Item = {
  id: 'wait',
  start: origin + 8000,
  end: origin + 18_000,
  row: 0,
  state: 'backoff',
  label: 'back-off 10s',
  countdownTo: origin + 18_000,
};
const pull: Item = {
  id: 'pull',
  start: origin,
  end: undefined,
  row: 0,
  state: 'pulling',
  label: 'pull',
  detail: 'busybox',
  progress: 0.256,
};
const lane: Lane = {
  id: 'l',
  kind: 'container',
  label: 'app',
  rows: 1,
  items: [pull, run, backOff],
  markers: [{ id: 'e', time: origin + 6000, kind: 'warning', label: 'BackOff' }],
  settled: 0,
};
const model: TimelineModel = { lanes: [lane], origin, end: origin + 9000, live: true };
const now = origin + 10_000;

describe('describing the timeline in words', () => {
  it('lists the facts of an item', () => {
    expect(describeItem(run, lane, model, { now, zone: 'utc' })).toEqual({
      title: 'running',
      rows: [
        ['lane', 'app'],
        ['state', 'running, failed'],
        ['start', '09:00:05.000  (+5.000 s)'],
        ['duration', '3 s'],
        ['error', 'exit 1'],
      ],
    });
    expect(describeItem(backOff, lane, model, { now }).rows).toContainEqual(['left', '8 s']);
    const inferred = describeItem({ ...backOff, source: 'shadow', inferred: true }, lane, model, { now }).rows;
    expect(inferred.at(-1)).toEqual(['source', 'inferred (shadow)']);
    const [marker] = lane.markers;
    expect(marker && describeMarker({ ...marker, source: 'api' }, lane, model, { now }).rows.at(-1)).toEqual([
      'source',
      'observed (api)',
    ]);
    expect(describeItem(pull, lane, model, { now }).rows).toEqual(
      expect.arrayContaining([
        ['duration', '10 s, ongoing'],
        ['progress', '25 %'],
      ]),
    );
  });

  it('describes an item in one sentence', () => {
    expect(itemText(run, lane, now)).toBe('app, running, 3 s, failed, exit 1');
    expect(itemText(pull, lane, now)).toBe('app, pull, pulling, for 10 s so far, busybox');
  });

  it('names the source of a genuine kubelet’s facts in sentences and in the table', () => {
    const observed: Item = { ...pull, source: 'cri' };
    const markers = lane.markers.map((marker) => ({ ...marker, source: 'api' as const, inferred: true }));
    expect(itemText(observed, lane, now)).toBe('app, pull, pulling, for 10 s so far, busybox, observed (cri)');
    expect(markers.map((marker) => markerText(marker, lane))).toEqual(['app, BackOff, inferred (api)']);
    const lanes = [{ ...lane, items: [observed, run], markers }];
    expect(tableRows({ ...model, lanes }, now).map(({ source }) => source)).toEqual([
      'observed (cri)',
      undefined,
      'inferred (api)',
    ]);
  });

  it('fills the table by time, including instants', () => {
    expect(tableRows(model, now).map(({ id, duration, failed }) => [id, duration, failed])).toEqual([
      ['pull', 10_000, false],
      ['run', 3000, true],
      ['e', undefined, true],
      ['wait', 10_000, false],
    ]);
  });

  it('lists a call before the next step that starts at the same time', () => {
    const span = (id: string, row: number, number: number): Item => ({ ...run, id, row, span: number });
    const worker: Lane = { ...lane, markers: [], items: [span('sync', 0, 1), span('step', 0, 3), span('call', 1, 2)] };
    expect(tableRows({ ...model, lanes: [worker] }, now).map(({ id }) => id)).toEqual(['sync', 'call', 'step']);
  });

  it('limits the screen reader list and includes the selected item', () => {
    const many: Lane = {
      ...lane,
      items: Array.from(
        { length: 5000 },
        (_, at): Item => ({ ...run, id: `i${at}`, start: origin + at, end: origin + at + 1 }),
      ),
    };
    const entries = listEntries(
      { ...model, lanes: [many] },
      { start: origin, end: origin + 9000 },
      now,
      { lane: many, item: many.items[2000] },
      englishWords,
    );
    expect(entries.length).toBeLessThanOrEqual(40);
    expect(entries.filter(({ isSelected }) => isSelected).map(({ id }) => id)).toEqual(['i2000']);
  });

  it('keeps failures when many later items follow', () => {
    const lane: Lane = {
      ...(model.lanes[0] as Lane),
      items: Array.from(
        { length: 200 },
        (_, at): Item => ({ ...run, id: `i${at}`, start: origin + at, end: origin + at + 1, failed: at === 7 }),
      ),
    };
    const view = { start: origin, end: origin + 9000 };
    const ids = listEntries({ ...model, lanes: [lane] }, view, now, undefined, englishWords).map(({ id }) => id);
    expect(ids).toHaveLength(39);
    expect([ids[0], ids[1], ids.at(-1)]).toEqual(['i7', 'i162', 'i199']);
  });
});
