/** Finds the paths at which two values differ, with both values at each path. */
import { isRecord } from '@podscope/base';

export interface Difference {
  /** A path such as `config.linux.resources.cpuShares`; empty for the whole value. */
  readonly path: string;
  readonly expected: unknown;
  readonly got: unknown;
}

const join = (path: string, key: string): string =>
  path === '' ? key : /^[A-Za-z_][\w-]*$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;

/** Returns all differences, in the order of the expected value's members. */
export function differences(expected: unknown, got: unknown, path = ''): Difference[] {
  if (Object.is(expected, got)) return [];
  if (Array.isArray(expected) && Array.isArray(got) && expected.length === got.length) {
    return expected.flatMap((item, index) => differences(item, got[index], `${path}[${index}]`));
  }
  if (isRecord(expected) && isRecord(got)) {
    const keys = [...new Set([...Object.keys(expected), ...Object.keys(got)])];
    return keys.flatMap((key) => differences(expected[key], got[key], join(path, key)));
  }
  if (Array.isArray(expected) && Array.isArray(got) && JSON.stringify(expected) === JSON.stringify(got)) return [];
  return [{ path, expected, got }];
}
