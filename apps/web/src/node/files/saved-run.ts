/** Reads a saved run from the server, page by page. */
import type { RunPage, RunSummary } from '@podscope/protocol';
import type { TraceEvent } from '@podscope/trace';
import { traceEventSchema } from '@podscope/trace/event-schema';
import type { Connection } from '../connection/connection.ts';

export interface SavedRun {
  readonly run: RunSummary;
  readonly events: readonly TraceEvent[];
}

const pageSize = 2_000;

/**
 * Returns a saved run with all its events.
 * @param onProgress called with the share that is loaded, from 0 to 1
 * @throws CommandFailedError, DisconnectedError
 */
export async function readSavedRun(
  connection: Connection,
  id: string,
  signal: AbortSignal,
  onProgress?: (share: number) => void,
): Promise<SavedRun> {
  const events: TraceEvent[] = [];
  for (let after = 0; ; ) {
    const page: RunPage = await connection.command<'openRun'>(
      { command: 'openRun', run: id, after, limit: pageSize },
      signal,
    );
    events.push(...page.events.map((event) => traceEventSchema.parse(event)));
    onProgress?.(Math.min(1, events.length / Math.max(1, page.run.lastSeq - page.run.firstSeq + 1)));
    if (page.next === undefined) return { run: page.run, events };
    after = page.next;
  }
}
