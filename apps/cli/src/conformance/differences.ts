/** Where two values differ, as a person would point at it: the paths, and what each side has there. */

export interface Difference {
  /** `config.linux.resources.cpuShares`; empty for the whole. */
  readonly path: string;
  readonly expected: unknown;
  readonly got: unknown;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null && !Array.isArray(value);

const join = (path: string, key: string): string => (path === '' ? key : /^[A-Za-z_][\w-]*$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`);

/** All places where the values differ, in the order of the expected one's members. */
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
