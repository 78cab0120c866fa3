/** Connects the streams of a client with those of a process. */
import type { ProcessStreams, TerminalSize } from '@podscope/cri';
import type { Context } from '@podscope/trace';
import type { ProcessConnection } from '../docker/port.ts';

/**
 * Copies data until the process's output ends or the client disconnects.
 * @param resize sets the terminal's size; its errors are ignored
 */
export async function connectProcess(
  ctx: Context,
  process: ProcessConnection,
  streams: ProcessStreams,
  resize: (size: TerminalSize) => Promise<void>,
): Promise<void> {
  const cut = (): void => process.close();
  ctx.signal.addEventListener('abort', cut, { once: true });
  if (streams.stdin) void copyInput(process, streams.stdin);
  if (streams.resize) void followSizes(streams.resize, resize);
  try {
    for await (const { stream, data } of process.output) await streams[stream]?.write(data);
  } catch (error) {
    if (!ctx.signal.aborted) throw error;
  } finally {
    ctx.signal.removeEventListener('abort', cut);
    process.close();
  }
}

async function copyInput(process: ProcessConnection, stdin: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    for await (const data of stdin) await process.write(data);
    process.endInput();
  } catch {
    // The client or the process has closed its side. Closing the process's side ends its output.
    process.close();
  }
}

async function followSizes(
  sizes: AsyncIterable<TerminalSize>,
  resize: (size: TerminalSize) => Promise<void>,
): Promise<void> {
  try {
    for await (const size of sizes) await resize(size).catch(() => undefined);
  } catch {
    // The client has disconnected.
  }
}
