/** Writes trace files. */
import type { TraceEvent } from '../events/event.ts';
import { toJson } from '../events/event-json.ts';
import type { TraceFileHeader } from './header.ts';

/** How many characters are passed to the compressor at a time. */
const blockLength = 64 * 1024;

async function* blocks(
  header: TraceFileHeader,
  events: Iterable<TraceEvent | string> | AsyncIterable<TraceEvent | string>,
): AsyncGenerator<string> {
  let block = [toJson(header)];
  let length = 0;
  let count = 0;
  for await (const event of events) {
    const text = typeof event === 'string' ? event : toJson(event);
    block.push(text);
    length += text.length;
    count++;
    if (length < blockLength) continue;
    yield `${block.join('\n')}\n`;
    block = [];
    length = 0;
  }
  block.push(toJson({ end: { events: count } }));
  yield `${block.join('\n')}\n`;
}

/**
 * Returns a trace file as a stream of bytes, which is generated while it is read.
 * @param events in the order of their numbers, without gaps; a text is written unchanged as the JSON of an event
 */
export function writeTraceFile(
  header: TraceFileHeader,
  events: Iterable<TraceEvent | string> | AsyncIterable<TraceEvent | string>,
): ReadableStream<Uint8Array> {
  const source = blocks(header, events);
  const encoder = new TextEncoder();
  const plain = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const { value, done } = await source.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await source.return(undefined);
    },
  });
  return plain.pipeThrough(new CompressionStream('gzip')) as ReadableStream<Uint8Array>;
}
