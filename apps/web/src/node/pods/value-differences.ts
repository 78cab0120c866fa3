/** Computes the fields in which two objects differ. */
import { isRecord } from '@podscope/base';

export interface ValueDifference {
  /** Path of the field: `containers[0].image`. */
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Matches paths of fields whose values differ in every run. */
const ofOneRun =
  /(?:^|\.)(?:uid|resourceVersion|creationTimestamp|managedFields|containerID|imageID|podIPs?|hostIPs?|startTime|startedAt|finishedAt|last\w+Time)(?:$|[.[])/;

const text = (value: unknown): string | undefined =>
  value === undefined ? undefined : typeof value === 'string' ? value : JSON.stringify(value);

/** Returns the name that identifies an item of a list. */
const nameOf = (item: unknown): string | undefined => {
  if (!isRecord(item)) return undefined;
  const name = item['name'] ?? item['type'] ?? item['key'];
  return typeof name === 'string' ? name : undefined;
};

function collectList(
  before: readonly unknown[],
  after: readonly unknown[],
  path: string,
  found: ValueDifference[],
  ignored: RegExp,
): void {
  const named = [...before, ...after].every((item) => nameOf(item) !== undefined);
  if (!named) {
    for (let at = 0; at < Math.max(before.length, after.length); at++)
      collect(before[at], after[at], `${path}[${at}]`, found, ignored);
    return;
  }
  const names = [...new Set([...before, ...after].map((item) => nameOf(item)))];
  for (const name of names) {
    const [left, right] = [before, after].map((items) => items.find((item) => nameOf(item) === name));
    collect(left, right, `${path}[${name}]`, found, ignored);
  }
}

function collect(before: unknown, after: unknown, path: string, found: ValueDifference[], ignored: RegExp): void {
  if (ignored.test(path)) return;
  if (Array.isArray(before) && Array.isArray(after)) return collectList(before, after, path, found, ignored);
  if (isRecord(before) && isRecord(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)]))
      collect(before[key], after[key], path === '' ? key : `${path}.${key}`, found, ignored);
    return;
  }
  const [left, right] = [text(before), text(after)];
  if (left !== right) found.push({ path, before: left, after: right });
}

/**
 * Returns the leaf fields that differ, in the order of the first object.
 * @param ignored matches the paths of fields to omit; by default, ids and times that differ in every run
 */
export function valueDifferences(before: unknown, after: unknown, ignored = ofOneRun): readonly ValueDifference[] {
  const found: ValueDifference[] = [];
  collect(before ?? {}, after ?? {}, '', found, ignored);
  return found;
}
