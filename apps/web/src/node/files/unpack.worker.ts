/** Decompresses a file in a worker, within the limits of trace files, and sends its packed lines to the page. */
import { errorMessage } from '@podscope/base';
import { bytesOf, defaultTraceFileLimits, TraceFileError, unpackFile } from '@podscope/trace/unpack';
import type { FromUnpacker, ToUnpacker } from './unpack-messages.ts';

const send = (message: FromUnpacker, transfer: Transferable[] = []): void => postMessage(message, { transfer });

/** Maximum number of groups of lines that the worker sends before the page has received the first of them. */
const groupsAhead = 8;

/** Minimum number of lines in a message, because transferring a message takes as long as unpacking many lines. */
const packed = 2_048;

let ahead = 0;
let proceed: (() => void) | undefined;

async function unpack(file: Blob): Promise<void> {
  const { groups, problem } = unpackFile(bytesOf(file.stream()), defaultTraceFileLimits, { packed });
  for await (const lines of groups) {
    ahead++;
    const { rows, seqs, times, spans, parents } = lines;
    send(
      { lines },
      [rows, seqs, times, spans, parents].map(({ buffer }) => buffer as ArrayBuffer),
    );
    if (ahead >= groupsAhead)
      await new Promise<void>((done) => {
        proceed = done;
      });
  }
  const said = problem();
  send({ end: true, ...(said === undefined ? {} : { problem: said }) });
}

addEventListener('message', ({ data }: MessageEvent<ToUnpacker>) => {
  if ('file' in data) {
    unpack(data.file).catch((error: unknown) =>
      send({ code: error instanceof TraceFileError ? error.code : 'broken', message: errorMessage(error) }),
    );
    return;
  }
  ahead--;
  proceed?.();
  proceed = undefined;
});
