/**
 * Packs the events that a client has missed into few bytes. Most events of a run repeat earlier ones except for their
 * numbers and times, so each distinct event is sent once, as a template, and an event is a row of numbers. The client
 * parses and checks a template once, and its events share the template's values.
 */
import type { TraceEvent } from '@podscope/trace';
import { traceEventSchema } from '@podscope/trace/event-schema';
import { exactCheck } from '@podscope/trace/exact-check';
import { z } from 'zod';

/** Maximum number of events in a packed message, so that a client has a turn between two of them. */
export const maxPackedEvents = 2_048;

/** The templates of a packed message have about this many characters at most, except for the last one. */
const maxTemplateLength = 256 * 1024;

/** A client keeps at most this many templates. The packer then starts over. */
const maxTemplates = 16_384;

/** Several events in order, without gaps. */
export const packedEventsSchema = z.object({
  type: z.literal('packedEvents'),
  /** Number of the first event. */
  firstSeq: z.int().positive(),
  /** Number of templates that the client has. With 0 it forgets the ones it has. */
  known: z.int().nonnegative(),
  /**
   * Templates that the client adds to its list: events whose `seq`, `time`, `span` and `parent` are placeholders.
   */
  templates: z.array(z.unknown()),
  /** Of each event, the index of its template in the client's list. */
  rows: z.array(z.int().nonnegative()),
  /** Of each event, its time. */
  times: z.array(z.number()),
  /** The spans of the events whose template has one, in order. */
  spans: z.array(z.int().positive()),
  /** The parents of the events whose template has one, in order. */
  parents: z.array(z.int().positive()),
});
export type PackedEvents = z.infer<typeof packedEventsSchema>;

/** An event in two parts: its numbers, and everything else as text. */
export interface SplitEvent {
  readonly seq: number;
  readonly time: number;
  readonly span: number | undefined;
  readonly parent: number | undefined;
  /** The event as JSON with placeholders for its numbers. */
  readonly template: string;
}

/** Returns an event in two parts. @param encode returns an event as JSON */
export function splitEvent(event: TraceEvent, encode: (event: TraceEvent) => string): SplitEvent {
  const { seq, time, span } = event;
  const parent = event.type === 'spanStarted' ? event.parent : undefined;
  const placeholders = {
    seq: 1,
    time: 0,
    ...(span === undefined ? {} : { span: 1 }),
    ...(parent === undefined ? {} : { parent: 1 }),
  };
  return { seq, time, span, parent, template: encode({ ...event, ...placeholders }) };
}

/** Packs the events of one connection. */
export class EventPacker {
  /** Indexes of the templates that the client has. */
  readonly #known = new Map<string, number>();

  /** Returns a message with the first events, at least one, and their number. Reads no further ones. */
  pack(events: Iterable<SplitEvent>): { readonly text: string; readonly count: number } {
    if (this.#known.size >= maxTemplates) this.#known.clear();
    const known = this.#known.size;
    let firstSeq = 1;
    const templates: string[] = [];
    let length = 0;
    const rows: number[] = [];
    const times: number[] = [];
    const spans: number[] = [];
    const parents: number[] = [];
    for (const { seq, time, span, parent, template } of events) {
      if (rows.length === 0) firstSeq = seq;
      let index = this.#known.get(template);
      if (index === undefined) {
        index = this.#known.size;
        this.#known.set(template, index);
        templates.push(template);
        length += template.length;
      }
      rows.push(index);
      times.push(time);
      if (span !== undefined) spans.push(span);
      if (parent !== undefined) parents.push(parent);
      if (length >= maxTemplateLength || rows.length >= maxPackedEvents) break;
    }
    const text =
      `{"type":"packedEvents","firstSeq":${firstSeq},"known":${known},"templates":[${templates.join(',')}],` +
      `"rows":[${rows.join(',')}],"times":[${times.join(',')}],` +
      `"spans":[${spans.join(',')}],"parents":[${parents.join(',')}]}`;
    return { text, count: rows.length };
  }
}

const check = exactCheck(traceEventSchema);
const isExactEvent = (value: unknown): value is TraceEvent => check(value);

/** Unpacks the events of one connection. */
export class EventUnpacker {
  readonly #templates: TraceEvent[] = [];

  /** Returns the events of a message; undefined if it doesn't match the protocol. */
  unpack({ firstSeq, known, templates, rows, times, spans, parents }: PackedEvents): readonly TraceEvent[] | undefined {
    if (known === 0) this.#templates.length = 0;
    if (known !== this.#templates.length || rows.length !== times.length) return undefined;
    for (const value of templates) {
      const template = isExactEvent(value) ? value : traceEventSchema.safeParse(value).data;
      if (!template) return undefined;
      this.#templates.push(template);
    }
    const events: TraceEvent[] = [];
    let span = 0;
    let parent = 0;
    for (const [index, row] of rows.entries()) {
      const template = this.#templates[row];
      if (!template) return undefined;
      // The templates have placeholders, so all events of a template have the same members in the same order.
      const event = { ...template, seq: firstSeq + index, time: times[index] ?? 0 };
      // A column that is too short leaves the placeholders, and its length differs from the number of its events.
      if (template.span !== undefined) event.span = spans[span++] ?? template.span;
      if (event.type === 'spanStarted' && event.parent !== undefined) event.parent = parents[parent++] ?? event.parent;
      events.push(event);
    }
    return span === spans.length && parent === parents.length ? events : undefined;
  }
}
