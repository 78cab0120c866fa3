/**
 * Reads container logs of a remote runtime from its files, as the kubelet does, while they grow and are rotated.
 * Upstream: ReadLogs (cri-client logs.go, v1.36).
 */
import { type FileHandle, open, stat } from 'node:fs/promises';
import { type Context, sleep } from '@podscope/trace';
import type { ContainerLogLine, ContainerLogOptions, ContainerLogProvider } from '../runtime/container-logs.ts';
import type { RuntimeService } from '../services.ts';
import { LogLineReader } from './log-line.ts';
import { tailOffset } from './tail.ts';

/** The interval at which a followed file is read, in ms. */
const pollInterval = 200;
/** The number of reads of the file between two queries of the container's status. */
const looksPerStatus = 4;

const blockSize = 64 * 1024;
const lineFeed = 10;

/** Returns a provider of container logs. The runtime's log files must be on this machine. */
export const fileContainerLogs = (runtime: Pick<RuntimeService, 'containerStatus'>): ContainerLogProvider => ({
  containerLogs: (ctx, containerId, options) => containerLogs(ctx, runtime, containerId, options),
});

async function openLog(path: string): Promise<FileHandle | undefined> {
  return open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    // The file doesn't exist yet, or it is being rotated.
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}

/** Reads the lines of one file. */
class LogFile {
  readonly #file: FileHandle;
  readonly #lines: LogLineReader;
  readonly #block = Buffer.alloc(blockSize);
  #offset: number;
  #rest: Uint8Array = new Uint8Array();

  constructor(file: FileHandle, lines: LogLineReader, offset: number) {
    this.#file = file;
    this.#lines = lines;
    this.#offset = offset;
  }

  /** Yields the complete lines up to the current end of the file. */
  async *read(): AsyncGenerator<ContainerLogLine> {
    for (;;) {
      const { bytesRead } = await this.#file.read(this.#block, 0, blockSize, this.#offset);
      if (bytesRead === 0) return;
      this.#offset += bytesRead;
      const data = Buffer.concat([this.#rest, this.#block.subarray(0, bytesRead)]);
      let start = 0;
      for (let end = data.indexOf(lineFeed); end >= 0; end = data.indexOf(lineFeed, start)) {
        const line = this.#lines.read(data.subarray(start, end));
        start = end + 1;
        if (line) yield line;
      }
      this.#rest = data.subarray(start);
    }
  }

  /** Returns true if the file was replaced or truncated. */
  async isReplaced(path: string): Promise<boolean> {
    const [mine, there] = await Promise.all([this.#file.stat(), stat(path).catch(() => undefined)]);
    return there !== undefined && (there.ino !== mine.ino || there.dev !== mine.dev || mine.size < this.#offset);
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

async function* containerLogs(
  ctx: Context,
  runtime: Pick<RuntimeService, 'containerStatus'>,
  containerId: string,
  { follow = false, tailLines, since }: ContainerLogOptions,
): AsyncGenerator<ContainerLogLine> {
  const { status } = await runtime.containerStatus(ctx, { containerId });
  const path = status.logPath;
  if (path === '') return;
  const isWanted = (line: ContainerLogLine): boolean => since === undefined || line.time >= since;
  const lines = new LogLineReader();
  let log: LogFile | undefined;
  const openAt = async (offset: (file: FileHandle) => Promise<number> | number): Promise<void> => {
    const file = await openLog(path);
    log = file && new LogFile(file, lines, await offset(file));
  };
  try {
    await openAt((file) => (tailLines === undefined ? 0 : tailOffset(file, tailLines)));
    for (let look = 0; ; look += 1) {
      // The state is read before the file, so that after an exit all output is read.
      const goesOn = follow && (look % looksPerStatus !== 0 || (await isRunning(ctx, runtime, containerId)));
      if (log) for await (const line of log.read()) if (isWanted(line)) yield line;
      if (!log || (await log.isReplaced(path))) {
        // Reads the output that was written to the old file during the rotation.
        if (log) for await (const line of log.read()) if (isWanted(line)) yield line;
        await log?.close();
        await openAt(() => 0);
        if (log) for await (const line of log.read()) if (isWanted(line)) yield line;
      }
      if (!goesOn) return;
      await sleep(ctx.clock, pollInterval, ctx.signal);
    }
  } finally {
    await log?.close();
  }
}

/** Returns true for a created or running container; false for a missing one. */
async function isRunning(
  ctx: Context,
  runtime: Pick<RuntimeService, 'containerStatus'>,
  containerId: string,
): Promise<boolean> {
  try {
    const { status } = await runtime.containerStatus(ctx, { containerId });
    return status.state === 'CONTAINER_RUNNING' || status.state === 'CONTAINER_CREATED';
  } catch (error) {
    ctx.signal.throwIfAborted();
    if (error instanceof Error && 'code' in error && error.code === 'NotFound') return false;
    throw error;
  }
}
