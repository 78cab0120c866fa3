import { describe, expect, it } from 'vitest';
import type { Item, ItemState, Lane, LaneKind, Marker } from '../model.ts';
import { englishWords } from '../words/words.ts';
import { collapsesByDefault, type LaneArrangement, LaneArranger } from './arrange-lanes.ts';
import { overviewLane } from './overview-lane.ts';

const item = (state: ItemState, start: number, end?: number, failed = false): Item => ({
  id: `${state}:${start}`,
  start,
  end,
  row: 0,
  state,
  label: state,
  failed,
});

const lane = (name: string, kind: LaneKind, items: readonly Item[] = [], markers: readonly Marker[] = []): Lane => ({
  id: `uid/${name}`,
  kind,
  label: name,
  rows: 1,
  items,
  markers,
  settled: 0,
});

const running = [item('waiting', 0, 10), item('running', 10)];
const crashing = [item('running', 0, 5, true), item('backoff', 5, 15)];
const failedProbe: Marker = { id: 'p', time: 1, kind: 'probeFailure', label: 'readiness' };

const lanes = [
  lane('phase', 'phase'),
  lane('worker', 'worker'),
  lane('sandbox', 'sandbox', running),
  lane('migrate', 'init', [item('running', 0, 2), item('succeeded', 2)]),
  lane('web', 'container', running),
  lane('web/probes', 'probes'),
  lane('crash', 'container', crashing),
  lane('api', 'container', running),
  lane('api/probes', 'probes', [], [failedProbe]),
  lane('events', 'events'),
];

const arrangement: LaneArrangement = { collapses: true, order: 'spec', pinned: new Set(), hidden: new Set() };
const arranged = (change: Partial<LaneArrangement> = {}): readonly Lane[] =>
  new LaneArranger(englishWords).arrange(lanes, { ...arrangement, ...change });
const labels = (change?: Partial<LaneArrangement>): readonly string[] => arranged(change).map(({ label }) => label);

describe('LaneArranger', () => {
  it('draws running and completed containers as one lane, and each failing one in its own lane', () => {
    expect(labels()).toEqual([
      'phase',
      'worker',
      'sandbox',
      'crash',
      'api',
      'api/probes',
      '2 healthy containers',
      'events',
    ]);
  });

  it('gives each collapsed container a row with its name', () => {
    const collapsed = arranged().find(({ kind }) => kind === 'collapsed');
    expect(collapsed?.rows).toBe(2);
    expect(collapsed?.items.map(({ row, label }) => `${row} ${label}`)).toEqual([
      '0 migrate: running',
      '1 web: waiting',
      '0 migrate: succeeded',
      '1 web: running',
    ]);
  });

  it('keeps the collapsed lane while its containers stay the same', () => {
    const arranger = new LaneArranger(englishWords);
    const collapsed = () => arranger.arrange(lanes, arrangement).find(({ kind }) => kind === 'collapsed');
    expect(collapsed()).toBe(collapsed());
  });

  it('shows every lane without collapsing, and unhealthy containers first if requested', () => {
    expect(labels({ collapses: false })).toEqual(lanes.map(({ label }) => label));
    expect(labels({ collapses: false, order: 'trouble' }).slice(3, 6)).toEqual(['crash', 'api', 'api/probes']);
    expect(labels({ collapses: false, order: 'name' }).slice(3, 5)).toEqual(['api', 'api/probes']);
  });

  it('puts pinned lanes at the top and omits hidden ones with their probes', () => {
    expect(labels({ pinned: new Set(['uid/web']) }).slice(0, 3)).toEqual(['web', 'web/probes', 'phase']);
    expect(labels({ hidden: new Set(['uid/api', 'uid/events']) })).toEqual([
      'phase',
      'worker',
      'sandbox',
      'crash',
      '2 healthy containers',
    ]);
  });

  it('puts listed lanes into the manual order and keeps the place of all others', () => {
    const sequence = ['uid/events', 'uid/api', 'uid/worker', 'uid/gone', 'uid/crash'];
    const own = { collapses: false, order: 'manual', sequence } as const;
    const order = ['phase', 'events', 'sandbox', 'migrate', 'web', 'web/probes'];
    expect(labels(own)).toEqual([...order, 'api', 'api/probes', 'worker', 'crash']);
    expect(labels({ ...own, pinned: new Set(['uid/crash']) })[0]).toBe('crash');
    expect(labels({ ...own, order: 'spec' })).toEqual(labels({ collapses: false }));
  });

  it('never collapses or hides the lane that the page points at', () => {
    expect(labels({ shown: 'uid/web', hidden: new Set(['uid/web']) })).toContain('web');
  });

  it('collapses by default only if there are many containers', () => {
    expect(collapsesByDefault(lanes)).toBe(false);
    const many = Array.from({ length: 7 }, (_, at) => lane(`c${at}`, 'container', running));
    expect(collapsesByDefault(many)).toBe(true);
  });
});

describe('overviewLane', () => {
  it('has the phase, and a row for each container', () => {
    const own = [lane('phase', 'phase', [item('pending', 0, 3)]), ...lanes.slice(1)];
    const overview = overviewLane('uid', 'web-0', own);
    expect(overview).toMatchObject({ id: 'uid/overview', label: 'web-0', kind: 'overview', rows: 5 });
    expect(overview.items.filter(({ row }) => row === 0).map(({ label }) => label)).toEqual(['pending']);
    expect(new Set(overview.items.map(({ row }) => row))).toEqual(new Set([0, 1, 2, 3, 4]));
  });
});
