/**
 * Container logs of a remote runtime: read from the files it writes, as the kubelet does, also while they grow and while they are rotated.
 * Upstream: ReadLogs (cri-client logs.go, v1.36).
 */
import { type FileHandle, open, stat } from 'node:fs/promises';
import { type Context, sleep } from '@podscope/trace';
import type { ContainerLogLine, ContainerLogOptions, ContainerLogProvider } from '../container-logs.ts';
import type { RuntimeService } from '../services.ts';
import { LogLineReader } from './log-line.ts';
import { tailOffset } from './tail.ts';

/** How often a file that is followed is looked at, in milliseconds. */
const pollInterval = 200;
/** Every so many looks the runtime is asked whether the container still runs. */
const looksPerStatus = 4;

const blockSize = 64 * 1024;
const lineFeed = 10;

/** Gives out the logs of the runtime's containers. Its log files have to be on this machine. */
export const fileContainerLogs = (runtime: Pick<RuntimeService, 'containerStatus'>): ContainerLogProvider => ({
  containerLogs: (ctx, containerId, options) => containerLogs(runtime, ctx, containerId, options),
});

async function openLog(path: string): Promise<FileHandle | undefined> {
  return open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    // Not written yet, or between two rotations.
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}

/** One file on its way from bytes to lines. */
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

  /** The whole lines up to the end as it is now; what is half written waits. */
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

  /** True when another file stands at the path, or this one was cut. */
  async isReplaced(path: string): Promise<boolean> {
    const [mine, there] = await Promise.all([this.#file.stat(), stat(path).catch(() => undefined)]);
    return there !== undefined && (there.ino !== mine.ino || there.dev !== mine.dev || mine.size < this.#offset);
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

async function* containerLogs(
  runtime: Pick<RuntimeService, 'containerStatus'>,
  ctx: Context,
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
      // Asked before the file is read: what it wrote until its end is then in there.
      const goesOn = follow && (look % looksPerStatus !== 0 || (await isRunning(runtime, ctx, containerId)));
      if (log) for await (const line of log.read()) if (isWanted(line)) yield line;
      if (!log || (await log.isReplaced(path))) {
        // What was written to the old one while it was moved away.
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

/** A container that is only created will run; one that is gone does not. */
async function isRunning(runtime: Pick<RuntimeService, 'containerStatus'>, ctx: Context, containerId: string): Promise<boolean> {
  try {
    const { status } = await runtime.containerStatus(ctx, { containerId });
    return status.state === 'CONTAINER_RUNNING' || status.state === 'CONTAINER_CREATED';
  } catch (error) {
    ctx.signal.throwIfAborted();
    if (error instanceof Error && 'code' in error && error.code === 'NotFound') return false;
    throw error;
  }
}
