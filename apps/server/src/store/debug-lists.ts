/** What a run is stopped by, as its events tell it: kept with the run, so that whoever opens it has it without reading them all. */
import { type RunDebug, runDebugOf } from '@podscope/trace/file';
import { z } from 'zod';

const objects = z.array(z.record(z.string(), z.unknown()));
const changeSchema = z.object({ type: z.literal('breakpointsChanged'), breakpoints: objects, filters: objects });

/** The lists after an event, from its text; undefined when it is about something else. */
export function debugOf(text: string): { readonly debug: RunDebug | undefined } | undefined {
  if (!text.includes('"type":"breakpointsChanged"')) return undefined;
  const { data } = changeSchema.safeParse(JSON.parse(text));
  return data && { debug: runDebugOf(data) };
}
