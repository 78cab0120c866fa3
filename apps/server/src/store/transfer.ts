/** Imports and exports runs as files. */
import { setImmediate } from 'node:timers/promises';
import type { RunExportFormat, RunSummary } from '@podscope/protocol';
import { type TraceEvent, toJson } from '@podscope/trace';
import { writeOtlp, writePerfetto } from '@podscope/trace/export';
import {
  bytesOf,
  openTraceFile,
  type RunInfo,
  runInfoSchema,
  type TraceFileHeader,
  type TraceFileReport,
  traceFileFormat,
  traceFileVersion,
  writeTraceFile,
} from '@podscope/trace/file';
import { productVersion } from '../version.ts';
import type { EventStore } from './event-store.ts';

/** The number of events to read before other work of the event loop gets a turn. */
const pageSize = 1_000;

/** Returns the run info in a row of the store. */
export const runInfoOf = (run: RunSummary): RunInfo => runInfoSchema.parse(run);

const headerOf = (info: RunInfo, createdAt: number): TraceFileHeader => ({
  format: traceFileFormat,
  version: traceFileVersion,
  createdBy: `podscope ${productVersion}`,
  createdAt,
  run: info,
});

/** Yields the events of a run, as text, up to its newest event at the call. */
export async function* eventTexts(store: EventStore, id: string): AsyncGenerator<string> {
  const { lastSeq } = store.get(id);
  for (let after: number | undefined = 0; after !== undefined && after < lastSeq; ) {
    const { texts, next } = store.textPage(id, { after, limit: Math.min(pageSize, lastSeq) });
    yield* texts;
    after = next;
    await setImmediate();
  }
}

async function* events(store: EventStore, id: string): AsyncGenerator<TraceEvent> {
  // The cast is safe, because the store contains only events that this program wrote.
  for await (const text of eventTexts(store, id)) yield JSON.parse(text) as TraceEvent;
}

/** Streams a run as a file of a format. @throws ApiError NotFound */
export function exportRun(
  store: EventStore,
  id: string,
  format: RunExportFormat,
  now: number,
): AsyncIterable<Uint8Array | string> {
  const info = runInfoOf(store.get(id));
  switch (format) {
    case 'file':
      return bytesOf(writeTraceFile(headerOf(info, now), eventTexts(store, id)));
    case 'perfetto':
      return writePerfetto(info, events(store, id));
    case 'otlp':
      return writeOtlp(info, events(store, id));
  }
}

export interface ImportedRun {
  readonly run: RunSummary;
  readonly report: TraceFileReport;
}

/**
 * Imports a trace file. If a part of the file can't be read, imports the events before it.
 * @throws TraceFileError if no part of the file can be read, or if it is too large
 */
export async function importRun(store: EventStore, source: AsyncIterable<Uint8Array>): Promise<ImportedRun> {
  const reader = await openTraceFile(source);
  const run = store.beginImport(reader.header.run);
  try {
    for await (const group of reader.events) {
      const [first] = group;
      if (first) store.append(run, first.seq, group.map(toJson));
      await setImmediate();
    }
  } catch (error) {
    store.delete(run.id);
    throw error;
  }
  const report = reader.report();
  store.endRun(run, report.complete ? 'ended' : 'interrupted', undefined);
  store.prune();
  return { run: store.get(run.id), report };
}
