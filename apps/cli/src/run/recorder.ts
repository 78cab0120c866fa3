/** Writes a run to a trace file once it is over. */
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { productVersion } from '@podscope/server/embed';
import { type RunInfo, traceFileFormat, traceFileVersion, writeTraceFile } from '@podscope/trace/file';

/** @param events as JSON text, from the first on */
export async function writeRun(file: string, run: RunInfo, title: string, events: readonly string[], endedAt: number): Promise<void> {
  const header = {
    format: traceFileFormat,
    version: traceFileVersion,
    createdBy: `podscope ${productVersion}`,
    createdAt: endedAt,
    run: { ...run, title, endedAt },
  } as const;
  // Readable.fromWeb takes Node's own declaration of the same stream.
  await pipeline(Readable.fromWeb(writeTraceFile(header, events) as Parameters<typeof Readable.fromWeb>[0]), createWriteStream(file));
}
