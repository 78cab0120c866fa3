/** Narrows unknown data to a plain object. */

/** True for an object that is neither null nor an array: what a JSON object parses to. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
