/** Compares a replayed round with the recorded one. */
import { isRecord } from '@podscope/base';
import { parseTime } from '@podscope/trace';
import type { RoundOutcome } from './replay-sync.ts';

/** A difference between the replayed and the recorded round. */
export interface Disagreement {
  readonly what: string;
  readonly expected: unknown;
  readonly got: unknown;
}

type Entry = Readonly<Record<string, unknown>>;

const keysOf = (value: Entry): string[] => Object.keys(value).filter((key) => value[key] !== undefined);

/** Returns true if two JSON values are deeply equal. A member that is undefined counts as absent. */
export function sameJSON(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => sameJSON(item, b[index]));
  if (!isRecord(a) || !isRecord(b)) return false;
  const keys = keysOf(a);
  return keys.length === keysOf(b).length && keys.every((key) => sameJSON(a[key], b[key]));
}

const entriesOf = (value: unknown): readonly Entry[] => (Array.isArray(value) ? (value as Entry[]) : []);

const without = (entry: Entry, key: string): Entry =>
  Object.fromEntries(Object.entries(entry).filter(([name]) => name !== key));

/**
 * Replaces the text that names an object by a placeholder. In the recordings, the placeholder stands for a Go struct
 * that upstream prints.
 */
function equalised(entry: Entry): Entry {
  return Object.fromEntries(
    Object.entries(entry).map(([key, value]) => [key, typeof value === 'string' ? structsReplaced(value) : value]),
  );
}

const structsReplaced = (text: string): string =>
  text
    .replaceAll(/(failed to find networking container: )pod \S+ with \d+ sandboxes and no address/g, '$1{podStatus}')
    .replaceAll(/(couldn't find port: \{1 0 [^}]*\} in )container [-a-z0-9]+/g, '$1{container}');

/** Compares lists entry by entry. Neighboring entries that are marked as unordered match in any order. */
function compareLists(what: string, expected: readonly Entry[], got: readonly Entry[]): Disagreement[] {
  const found: Disagreement[] = [];
  for (let index = 0; index < Math.max(expected.length, got.length); ) {
    let end = index;
    while (expected[end]?.unordered === true) end += 1;
    if (end === index) {
      const [want, have] = [expected[index], got[index]];
      if (!want || !have || !sameJSON(want, equalised(have)))
        found.push({ what: `${what}[${index}]`, expected: want, got: have });
      index += 1;
      continue;
    }
    const rest = got.slice(index, end).map(equalised);
    for (const want of expected.slice(index, end).map((entry) => without(entry, 'unordered'))) {
      const at = rest.findIndex((have) => sameJSON(want, have));
      if (at < 0) found.push({ what: `${what}[${index}…${end - 1}], in any order`, expected: want, got: rest });
      else rest.splice(at, 1);
    }
    index = end;
  }
  return found;
}

const orderOf = (entry: Entry): string =>
  JSON.stringify(Object.entries(entry).toSorted(([a], [b]) => (a < b ? -1 : 1)));

/**
 * Returns back-off entries with numeric times. If `ownKeys` is true, the entries have no keys, because the engine's
 * keys differ from upstream's.
 */
function backOffsOf(value: unknown, ownKeys: boolean): unknown {
  const entries = Object.entries(isRecord(value) ? value : {}).map(([key, entry]) => {
    const { lastUpdate, ...rest } = entry as Entry;
    return {
      key: ownKeys ? '' : key,
      ...rest,
      lastUpdate: typeof lastUpdate === 'string' ? parseTime(lastUpdate) : lastUpdate,
    };
  });
  return entries.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
}

/** Returns the containers in the order of their stop calls. */
const stopOrder = (calls: readonly Entry[], ids: readonly unknown[]): readonly unknown[] =>
  calls.filter(({ method, id }) => method === 'StopContainer' && ids.includes(id)).map(({ id }) => id);

/** Returns all differences between the replayed and the recorded round. */
export function compareRound(expect: Readonly<Record<string, unknown>>, got: RoundOutcome): Disagreement[] {
  const ownKeys = Object.values(isRecord(expect.backoff) ? expect.backoff : {}).some(
    (entry) => isRecord(entry) && 'container' in entry,
  );
  const gotBackOffs = isRecord(got.backoff) && !ownKeys ? withoutContainers(got.backoff) : got.backoff;
  const found = [
    ...compareLists('calls', entriesOf(expect.calls), entriesOf(got.calls)),
    ...compareLists('events', entriesOf(expect.events), entriesOf(got.events)),
  ];
  const check = (what: string, expected: unknown, have: unknown): void => {
    if (!sameJSON(expected, have)) found.push({ what, expected, got: have });
  };
  check('backoff', backOffsOf(expect.backoff, ownKeys), backOffsOf(gotBackOffs, ownKeys));
  check('imageBackoff', backOffsOf(expect.imageBackoff, false), backOffsOf(got.imageBackoff, false));
  check('elapsed', expect.elapsed ?? 0, got.elapsed ?? 0);
  for (const key of ['syncError', 'resultError', 'error']) {
    const have = got[key];
    if (key in expect) check(key, expect[key], typeof have === 'string' ? structsReplaced(have) : have);
  }
  if ('syncResults' in expect)
    found.push(...compareLists('syncResults', entriesOf(expect.syncResults), entriesOf(got.syncResults)));
  const { sidecarStopOrder } = expect;
  if (Array.isArray(sidecarStopOrder))
    check('sidecarStopOrder', sidecarStopOrder, stopOrder(entriesOf(got.calls), sidecarStopOrder));
  return found;
}

const withoutContainers = (entries: Entry): Entry =>
  Object.fromEntries(Object.entries(entries).map(([key, entry]) => [key, without(entry as Entry, 'container')]));
