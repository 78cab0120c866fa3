/** Writes the run of the page as a trace file, or in the formats of Perfetto and OpenTelemetry. */
import { writeOtlp, writePerfetto } from '@podscope/trace/export';
import {
  type RunInfo,
  runDebugOf,
  traceFileExtension,
  traceFileFormat,
  traceFileMediaType,
  traceFileVersion,
  writeTraceFile,
} from '@podscope/trace/file';
import { translate } from '../../base/i18n/i18n.ts';
import type { NodeSession } from '../run/node-session.ts';
import { fileMessages } from './messages.en.ts';

export type SaveFormat = 'file' | 'perfetto' | 'otlp';

/**
 * Returns the description of the run.
 * @throws Error before the node has sent its welcome
 */
function runInfoOf({ connection, run, debug }: NodeSession): RunInfo {
  const { node } = connection;
  if (!node) throw new Error(translate(fileMessages.noRun));
  const { run: id, startedAt, repeats, nodeName, runtime, profile, steps, version, observed } = node;
  return {
    id,
    startedAt,
    repeats,
    nodeName,
    runtime,
    profile,
    steps,
    ...(observed ? { observed } : {}),
    engine: version,
    debug: debug.state && runDebugOf(debug.state),
    tags: [],
    notes: [],
    endedAt: run.history.events.at(-1)?.time ?? startedAt,
  };
}

async function textOf(parts: AsyncIterable<string>): Promise<Blob> {
  const texts: string[] = [];
  for await (const part of parts) texts.push(part);
  return new Blob(texts, { type: 'application/json' });
}

/**
 * Returns the run as a file.
 * @throws Error before the node has sent its welcome
 */
export async function runAsFile(
  session: NodeSession,
  format: SaveFormat,
): Promise<{ readonly blob: Blob; readonly name: string }> {
  const info = runInfoOf(session);
  const { events } = session.run.history;
  const node = info.nodeName === 'podscope' ? '' : `-${info.nodeName}`;
  const base = `podscope${node}-${new Date(info.startedAt).toISOString().slice(0, 19).replaceAll(':', '')}`;
  switch (format) {
    case 'file': {
      const header = {
        format: traceFileFormat,
        version: traceFileVersion,
        createdBy: `podscope ${info.engine}`,
        createdAt: Date.now(),
        run: info,
      } as const;
      const blob = await new Response(writeTraceFile(header, events) as ReadableStream<Uint8Array<ArrayBuffer>>).blob();
      return { blob: new Blob([blob], { type: traceFileMediaType }), name: `${base}${traceFileExtension}` };
    }
    case 'perfetto':
      return { blob: await textOf(writePerfetto(info, events)), name: `${base}.perfetto.json` };
    case 'otlp':
      return { blob: await textOf(writeOtlp(info, events)), name: `${base}.otlp.json` };
    default:
      return format satisfies never;
  }
}

/** Starts a download in the browser. */
export function download(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
