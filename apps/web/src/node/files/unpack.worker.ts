/** Decompresses a file in a worker, within the limits of trace files, and transfers the bytes to the page. */
import { errorMessage } from '@podscope/base';
import { bytesOf, defaultTraceFileLimits, gunzip, TraceFileError } from '@podscope/trace/file';
import { chunkSize, chunksAhead, type FromUnpacker, type ToUnpacker } from './unpack-messages.ts';

const send = (message: FromUnpacker, transfer: Transferable[] = []): void => postMessage(message, { transfer });

let ahead = 0;
let proceed: (() => void) | undefined;

async function unpack(file: Blob): Promise<void> {
  const { chunks, problem } = gunzip(bytesOf(file.stream()), defaultTraceFileLimits);
  let waiting: Uint8Array[] = [];
  let size = 0;
  const flush = (): void => {
    const chunk = new Uint8Array(size);
    let at = 0;
    for (const part of waiting) {
      chunk.set(part, at);
      at += part.length;
    }
    waiting = [];
    size = 0;
    ahead++;
    send({ chunk }, [chunk.buffer]);
  };
  for await (const part of chunks) {
    waiting.push(part);
    size += part.length;
    if (size < chunkSize) continue;
    flush();
    if (ahead >= chunksAhead)
      await new Promise<void>((done) => {
        proceed = done;
      });
  }
  if (size > 0) flush();
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
