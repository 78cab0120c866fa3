/**
 * Parses lines of container logs, in CRI's format or in Docker's JSON, to which dockershim creates links. The first
 * valid line determines the format. Upstream: cri-client logs.go (v1.36).
 */
import { parseTime } from '@podscope/trace';
import { z } from 'zod';
import type { ContainerLogLine } from '../runtime/container-logs.ts';

/** The parts of a line. The content isn't decoded, because a long line may be split inside of a character. */
interface RawLogLine extends Pick<ContainerLogLine, 'time' | 'stream'> {
  readonly content: Uint8Array;
  readonly partial: boolean;
}

type Parser = (line: Uint8Array) => RawLogLine | undefined;

const space = 32;
const decoder = new TextDecoder();
const encoder = new TextEncoder();

const isStream = (text: string): text is 'stdout' | 'stderr' => text === 'stdout' || text === 'stderr';

function timeOf(text: string): ContainerLogLine['time'] | undefined {
  try {
    return parseTime(text);
  } catch {
    return undefined;
  }
}

/**
 * Parses a line like `2026-01-02T15:04:05.123456789Z stdout F the text`. Upstream: parseCRILog (cri-client logs.go,
 * v1.36).
 */
const parseCriLog: Parser = (line) => {
  const ends: number[] = [];
  for (let at = line.indexOf(space); at >= 0 && ends.length < 3; at = line.indexOf(space, at + 1)) ends.push(at);
  const [timeEnd, streamEnd, tagEnd] = ends;
  if (timeEnd === undefined || streamEnd === undefined) return undefined;
  const time = timeOf(decoder.decode(line.subarray(0, timeEnd)));
  const stream = decoder.decode(line.subarray(timeEnd + 1, streamEnd));
  // A line without text may end directly after its tag.
  const [tag] = decoder.decode(line.subarray(streamEnd + 1, tagEnd)).split(':');
  if (time === undefined || !isStream(stream) || (tag !== 'F' && tag !== 'P')) return undefined;
  return {
    time,
    stream,
    content: tagEnd === undefined ? new Uint8Array() : line.subarray(tagEnd + 1),
    partial: tag === 'P',
  };
};

const dockerLine = z.object({ log: z.string(), stream: z.enum(['stdout', 'stderr']), time: z.string() });

/**
 * Parses a line like `{"log":"the text\n","stream":"stdout","time":"…"}`. Upstream: parseDockerJSONLog (cri-client
 * logs.go, v1.36).
 */
const parseDockerLog: Parser = (line) => {
  let value: unknown;
  try {
    value = JSON.parse(decoder.decode(line));
  } catch {
    return undefined;
  }
  const { data } = dockerLine.safeParse(value);
  if (data === undefined) return undefined;
  const time = timeOf(data.time);
  if (time === undefined) return undefined;
  const whole = data.log.endsWith('\n');
  return {
    time,
    stream: data.stream,
    content: encoder.encode(whole ? data.log.slice(0, -1) : data.log),
    partial: !whole,
  };
};

/** Reads the lines of one log. Ignores invalid lines, as the kubelet does. */
export class LogLineReader {
  #parser: Parser | undefined;
  readonly #decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };

  /**
   * Parses a line. Returns undefined for an invalid one.
   * @param bytes the line without its line feed
   */
  read(bytes: Uint8Array): ContainerLogLine | undefined {
    this.#parser ??= [parseCriLog, parseDockerLog].find((parser) => parser(bytes) !== undefined);
    const line = this.#parser?.(bytes);
    if (!line) return undefined;
    const { time, stream, content, partial } = line;
    const text = this.#decoders[stream].decode(content, { stream: partial });
    return { time, stream, text, ...(partial ? { partial } : {}) };
  }
}
