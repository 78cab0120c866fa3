/** Breakpoints and exception filters as a word of the address: a link that is shared brings them along. */
import { type BreakpointSpec, breakpointSpecSchema, type DebugState, type ExceptionFilterSpec, exceptionFilterSchema } from '@podscope/protocol';
import { z } from 'zod';

/** The word of the query string. */
export const breakpointWord = 'break';

/** Longest text of it, in characters: an address is passed on by chats and mails. */
const maxBreakpointText = 6_000;
/** Most of them. */
const maxItems = 50;

/** What a link brings. */
export interface LinkedBreakpoints {
  readonly breakpoints: readonly BreakpointSpec[];
  readonly filters: readonly ExceptionFilterSpec[];
}

const textSchema = z.array(z.union([exceptionFilterSchema.strict(), breakpointSpecSchema])).max(maxItems);

/** Those of a debugger as text; undefined when nothing is set, or it is too much for an address. What is gone once it has been hit stays behind. */
export function writeBreakpoints({
  breakpoints,
  filters,
}: Pick<DebugState, 'breakpoints' | 'filters'>): { readonly text: string; readonly count: number } | undefined {
  const items = [...breakpoints.map(({ spec }) => spec).filter(({ oneShot }) => !oneShot), ...filters];
  const text = JSON.stringify(items);
  return items.length === 0 || items.length > maxItems || text.length > maxBreakpointText ? undefined : { text, count: items.length };
}

/** Reads the word. What is not understood brings nothing: a link of elsewhere is not trusted to be sound. */
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

/** The same, whatever order its members were written in. */
const keyOf = (spec: object): string => JSON.stringify(Object.entries(spec).toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** What of it a debugger does not have yet, in whichever list. */
export function missingOf({ breakpoints, filters }: LinkedBreakpoints, state: Pick<DebugState, 'breakpoints' | 'filters'>): LinkedBreakpoints {
  const known = new Set([...state.breakpoints.map(({ spec }) => keyOf(spec)), ...state.filters.map(keyOf)]);
  const isNew = (spec: object): boolean => !known.has(keyOf(spec));
  return { breakpoints: breakpoints.filter(isNew), filters: filters.filter(isNew) };
}
