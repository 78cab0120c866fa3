/** Encodes events and logs of a run for transfer: gzipped JSON in base64, about a twentieth of the plain text. */
import { logLineSchema, nodeInfoSchema } from '@podscope/protocol';
import { traceEventSchema } from '@podscope/trace/event-schema';
import { z } from 'zod';
import type { RunPart } from './class-event.ts';

/** Consecutive lines of a container's log. */
const logChunkSchema = z.object({
  namespace: z.string(),
  pod: z.string(),
  container: z.string(),
  /** True for the log of the previous instance. */
  previous: z.boolean(),
  /** Number of the first line, from 0. A chunk that begins with line 0 replaces the log, because it is another's. */
  from: z.int().nonnegative(),
  lines: z.array(logLineSchema),
});
export type LogChunk = z.infer<typeof logChunkSchema>;

const contentSchema = z.object({
  node: nodeInfoSchema.optional(),
  events: z.array(traceEventSchema),
  logs: z.array(logChunkSchema).optional(),
});
/** The events and log lines of a part. The first part also has the node that they come from. */
export type RunContent = z.infer<typeof contentSchema>;

/** Maximum decompressed size of a part, in bytes. Larger parts are rejected. */
const maxContent = 64 * 1024 * 1024;

/** Bytes per call, because `String.fromCharCode` takes a limited number of arguments. */
const slice = 8_192;

function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += slice) text += String.fromCharCode(...bytes.subarray(at, at + slice));
  return btoa(text);
}

/**
 * Returns the content as a part of a run.
 * @param after number of the last event that was sent before; needed for a part without events
 */
export async function encodeRunPart(run: string, content: RunContent, after = 0): Promise<RunPart> {
  const plain = new Blob([JSON.stringify(content)]).stream();
  const packed = await new Response(plain.pipeThrough(new CompressionStream('gzip'))).arrayBuffer();
  const { events } = content;
  return {
    run,
    from: events[0]?.seq ?? after + 1,
    to: events.at(-1)?.seq ?? after,
    data: toBase64(new Uint8Array(packed)),
  };
}

/**
 * Returns the text of a stream.
 * @throws Error if the text is larger than {@link maxContent}
 */
async function limitedText(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  let [text, size] = ['', 0];
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.byteLength;
    if (size > maxContent) throw new Error('The events of the run are too large.');
    text += decoder.decode(next.value, { stream: true });
  }
  return text + decoder.decode();
}

/**
 * Returns the content of a part.
 * @throws Error if the content is not valid
 */
export async function decodeRunPart({ data }: RunPart): Promise<RunContent> {
  const packed = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  const plain = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return contentSchema.parse(JSON.parse(await limitedText(plain)));
}
