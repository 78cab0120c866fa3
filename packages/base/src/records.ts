/** Narrows unknown data to a plain object. */

/** Returns true for an object that is neither null nor an array, such as a parsed JSON object. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
