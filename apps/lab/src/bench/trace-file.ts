/** Writes the trace files that benchmarks open. */
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { TraceEvent } from '@podscope/trace';
import { bytesOf, type RunInfo, traceFileFormat, traceFileVersion, writeTraceFile } from '@podscope/trace/file';

/** The run that benchmark events belong to. */
export const benchRun: RunInfo = {
  id: 'bench',
  tags: [],
  notes: [],
  startedAt: 0,
  nodeName: 'bench',
  runtime: { name: 'docker', version: '20.10', kind: 'docker' },
  profile: 'v1.36',
  engine: 'bench',
  steps: [],
};

/**
 * Writes events to a trace file.
 * @param id id of the run
 */
export async function saveTraceFile(path: string, events: readonly TraceEvent[], id = benchRun.id): Promise<void> {
  const header = {
    format: traceFileFormat,
    version: traceFileVersion,
    createdBy: 'bench',
    createdAt: 0,
    run: { ...benchRun, id },
  } as const;
  await pipeline(Readable.from(bytesOf(writeTraceFile(header, events))), createWriteStream(path));
}
