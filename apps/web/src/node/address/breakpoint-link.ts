/** Encodes breakpoints and exception filters as a query parameter, so that a shared link carries them. */
import {
  type BreakpointSpec,
  breakpointSpecSchema,
  type DebugState,
  type ExceptionFilterSpec,
  exceptionFilterSchema,
} from '@podscope/protocol';
import { z } from 'zod';

/** Name of the query parameter. */
export const breakpointWord = 'break';

/** Maximum length in characters. Chat and mail programs cut off longer addresses. */
const maxBreakpointText = 6_000;
/** Maximum number of breakpoints and filters. */
const maxItems = 50;

/** The breakpoints and filters of a link. */
export interface LinkedBreakpoints {
  readonly breakpoints: readonly BreakpointSpec[];
  readonly filters: readonly ExceptionFilterSpec[];
}

const textSchema = z.array(z.union([exceptionFilterSchema.strict(), breakpointSpecSchema])).max(maxItems);

/**
 * Returns the debugger's breakpoints as text. One-shot breakpoints are omitted. Returns undefined when nothing is set
 * or the text would be too long.
 */
export function writeBreakpoints({
  breakpoints,
  filters,
}: Pick<DebugState, 'breakpoints' | 'filters'>): { readonly text: string; readonly count: number } | undefined {
  const items = [...breakpoints.map(({ spec }) => spec).filter(({ oneShot }) => !oneShot), ...filters];
  const text = JSON.stringify(items);
  return items.length === 0 || items.length > maxItems || text.length > maxBreakpointText
    ? undefined
    : { text, count: items.length };
}

/** Parses the parameter. Returns undefined for any invalid value, because anyone can write a link. */
export function readBreakpoints(text: string | null): LinkedBreakpoints | undefined {
  if (text === null || text.length > maxBreakpointText) return undefined;
  try {
    const items = textSchema.parse(JSON.parse(text));
    const filters = items.filter((item): item is ExceptionFilterSpec => 'filter' in item);
    const breakpoints = items.filter((item): item is BreakpointSpec => !('filter' in item));
    return items.length === 0 ? undefined : { breakpoints, filters };
  } catch {
    return undefined;
  }
}

/** Returns a key that doesn't depend on the order of the members. */
const keyOf = (spec: object): string => JSON.stringify(Object.entries(spec).toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** Returns the link's breakpoints and filters, without those that the debugger already has. */
export function missingOf(
  { breakpoints, filters }: LinkedBreakpoints,
  state: Pick<DebugState, 'breakpoints' | 'filters'>,
): LinkedBreakpoints {
  const known = new Set([...state.breakpoints.map(({ spec }) => keyOf(spec)), ...state.filters.map(keyOf)]);
  const isNew = (spec: object): boolean => !known.has(keyOf(spec));
  return { breakpoints: breakpoints.filter(isNew), filters: filters.filter(isNew) };
}
