/** Writes a completed run to a trace file. */
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { productVersion } from '@podscope/server/embed';
import { type RunInfo, traceFileFormat, traceFileVersion, writeTraceFile } from '@podscope/trace/file';

/**
 * Writes the events of a run with a header to a file.
 * @param events JSON text of each event, starting with the first
 */
export async function writeRun(
  file: string,
  run: RunInfo,
  title: string,
  events: readonly string[],
  endedAt: number,
): Promise<void> {
  const header = {
    format: traceFileFormat,
    version: traceFileVersion,
    createdBy: `podscope ${productVersion}`,
    createdAt: endedAt,
    run: { ...run, title, endedAt },
  } as const;
  // `Readable.fromWeb` declares Node's own type of the same stream.
  await pipeline(
    Readable.fromWeb(writeTraceFile(header, events) as Parameters<typeof Readable.fromWeb>[0]),
    createWriteStream(file),
  );
}
