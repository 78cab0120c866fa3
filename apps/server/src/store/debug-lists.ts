/**
 * Derives the breakpoints and fault plans of a run from its events. They are stored with the run, so that opening a run
 * doesn't require reading all its events.
 */
import { type RunDebug, runDebugOf } from '@podscope/trace/file';
import { z } from 'zod';

const objects = z.array(z.record(z.string(), z.unknown()));
const changeSchema = z.object({ type: z.literal('breakpointsChanged'), breakpoints: objects, filters: objects });

/**
 * Returns the lists as they are after an event. Returns undefined if the event doesn't change them.
 * @param text the event as JSON
 */
export function debugOf(text: string): { readonly debug: RunDebug | undefined } | undefined {
  if (!text.includes('"type":"breakpointsChanged"')) return undefined;
  const { data } = changeSchema.safeParse(JSON.parse(text));
  return data && { debug: runDebugOf(data) };
}
