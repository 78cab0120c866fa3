/** Implements `podscope export`: writes a run as a trace file, or in the format of Perfetto or OTLP. */

import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type CommandBody, callOf, readArguments, report, UsageError, working } from '@podscope/command-line';
import { exportPlace } from '@podscope/node';
import { type RunExportFormat, runExportFormats } from '@podscope/protocol';
import { productVersion } from '@podscope/server/runs';
import { writeOtlp, writePerfetto } from '@podscope/trace/export';
import { bytesOf, traceFileFormat, traceFileVersion, writeTraceFile } from '@podscope/trace/file';
import {
  type OpenedRun,
  openRun,
  sessionHelp,
  sessionOption,
  stateDirHelp,
  stateDirOption,
  tellingProblems,
} from './run-source.ts';

const options = {
  ...stateDirOption,
  ...sessionOption,
  format: { type: 'string', default: 'file' },
  output: { type: 'string', short: 'o' },
} as const;

function written({ info, events }: OpenedRun, format: RunExportFormat): AsyncIterable<Uint8Array | string> {
  switch (format) {
    case 'file':
      return bytesOf(
        writeTraceFile(
          {
            format: traceFileFormat,
            version: traceFileVersion,
            createdBy: `podscope ${productVersion}`,
            createdAt: Date.now(),
            run: info,
          },
          events,
        ),
      );
    case 'perfetto':
      return writePerfetto(info, events);
    case 'otlp':
      return writeOtlp(info, events);
  }
}

/** Writes to a temporary file and renames it, so that an incomplete file never has the final name. */
async function save(source: AsyncIterable<Uint8Array | string>, path: string): Promise<void> {
  const partial = `${path}.part`;
  try {
    await pipeline(Readable.from(source), createWriteStream(partial));
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

export const command: CommandBody = {
  help: `Usage: ${callOf('export')} FILE|RUN|DIR [options]

FILE is a trace file, RUN the id (or its beginning), or the title, of a recorded run; "latest" is the newest.

  --format FORMAT   file: a trace file (default). perfetto: Chrome/Perfetto trace JSON, for ui.perfetto.dev. otlp:
                    OTLP JSON, for Jaeger and others.
  -o, --output OUT  Where to; - is stdout. Default: a name in this directory.
${sessionHelp}
${stateDirHelp}`,
  examples: [
    ['export latest', 'Write the newest run to a trace file here'],
    ['export packages/observer/recordings --session b -o genuine.podscope', 'Make a trace file of a genuine kubelet'],
    ['export pod.podscope --format perfetto -o trace.json', 'Convert a trace file for ui.perfetto.dev'],
  ],
  run: (args) =>
    tellingProblems(async () => {
      const { values, positionals } = readArguments(args, options, 'export');
      const [name, ...others] = positionals;
      if (name === undefined || others.length > 0) throw new UsageError('export takes one FILE, RUN or DIR');
      const format = runExportFormats.find((known) => known === values.format);
      if (!format)
        throw new UsageError(`--format ${JSON.stringify(values.format)} is not ${runExportFormats.join(', ')}`);
      const run = await openRun(name, values['state-dir'], values.session);
      const target = values.output ?? exportPlace(run.info, format).fileName;
      if (target === '-') await pipeline(Readable.from(written(run, format)), process.stdout, { end: false });
      else await working(`Writing ${target}`, () => save(written(run, format), target));
      const problem = run.problem();
      if (problem) report(`podscope: ${name} is not complete: ${problem}; all events up to there are exported`);
      if (target !== '-') report(`Wrote ${target}`);
      return 0;
    }),
};
