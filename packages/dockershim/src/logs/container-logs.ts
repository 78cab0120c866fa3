/** Container output through the Docker API: works with every log driver that can be read, and with a remote engine. */
import type { ContainerLogLine, ContainerLogOptions } from '@podscope/cri';
import { type Context, parseTime } from '@podscope/trace';
import type { OutputFrame } from '../docker/port.ts';
import type { Shim } from '../shim.ts';

/** Docker cuts what a container writes into messages of at most so many bytes. */
const maxMessageBytes = 16_384;

const lineFeed = 10;
const space = 32;

/** Upstream: GetContainerLogs (dockershim docker_legacy_service.go, v1.20). @throws CriError NotFound */
export async function* containerLogs(shim: Shim, ctx: Context, containerId: string, options: ContainerLogOptions): AsyncGenerator<ContainerLogLine> {
  const { Id: id, Config } = await shim.objects.inspect(ctx, containerId, 'container');
  const frames = shim.docker.logs(ctx, {
    id,
    tty: Config.Tty,
    ...(options.follow ? { follow: true } : {}),
    ...(options.tailLines === undefined ? {} : { tail: Math.max(0, options.tailLines) }),
    ...(options.since === undefined ? {} : { since: (options.since / 1000).toFixed(9) }),
  });
  yield* logLines(frames);
}

/** One output stream on its way from bytes to lines. */
class MessageReader {
  readonly #stream: 'stdout' | 'stderr';
  #decoder = new TextDecoder();
  #rest: Uint8Array = new Uint8Array();

  constructor(stream: 'stdout' | 'stderr') {
    this.#stream = stream;
  }

  *read(data: Uint8Array): Generator<ContainerLogLine> {
    this.#rest = this.#rest.length > 0 ? Buffer.concat([this.#rest, data]) : data;
    for (;;) {
      const message = this.#nextMessage();
      if (!message) return;
      yield this.#line(message.time, message.text, message.isPartial);
    }
  }

  /** What stands at the end without a line feed is a line too. */
  *end(): Generator<ContainerLogLine> {
    const start = this.#rest.indexOf(space) + 1;
    if (start === 0) return;
    yield this.#line(this.#rest.subarray(0, start - 1), this.#rest.subarray(start), false);
  }

  /** A message is a timestamp, a space, and text up to a line feed or the engine's limit. */
  #nextMessage(): { time: Uint8Array; text: Uint8Array; isPartial: boolean } | undefined {
    const start = this.#rest.indexOf(space) + 1;
    if (start === 0) return undefined;
    const feed = this.#rest.indexOf(lineFeed, start);
    const isCut = feed < 0 || feed - start > maxMessageBytes;
    // Wait for one byte more than the limit: a line feed there ends the line.
    if (isCut && this.#rest.length - start <= maxMessageBytes) return undefined;
    const end = isCut ? start + maxMessageBytes : feed;
    const message = { time: this.#rest.subarray(0, start - 1), text: this.#rest.subarray(start, end), isPartial: isCut };
    this.#rest = this.#rest.subarray(isCut ? end : end + 1);
    return message;
  }

  #line(time: Uint8Array, bytes: Uint8Array, isPartial: boolean): ContainerLogLine {
    // A character may lie across the cut: its first bytes wait in the decoder.
    const text = this.#decoder.decode(bytes, { stream: isPartial });
    const line = { time: parseTime(new TextDecoder().decode(time)), stream: this.#stream, text: isPartial ? text : text.replace(/\r$/, '') };
    return isPartial ? { ...line, partial: true } : line;
  }
}

/** Turns timestamped output into lines. */
export async function* logLines(frames: AsyncIterable<OutputFrame>): AsyncGenerator<ContainerLogLine> {
  const readers = { stdout: new MessageReader('stdout'), stderr: new MessageReader('stderr') };
  for await (const { stream, data } of frames) yield* readers[stream].read(data);
  yield* readers.stdout.end();
  yield* readers.stderr.end();
}
