/**
 * Packs the events that a client has missed into few bytes. Most events of a run repeat earlier ones except for their
 * numbers and times. So each distinct event is sent once, as a template. Each event is then the index of its template
 * with its own numbers. Templates refer to parts that they share, such as the labels of a pod. The client parses and
 * checks a template once, and its events share the template's values in memory.
 */
import { isRecord } from '@podscope/base';
import type { TraceEvent } from '@podscope/trace';
import { traceEventSchema } from '@podscope/trace/event-schema';
import { exactCheck } from '@podscope/trace/exact-check';
import { z } from 'zod';

/** Maximum number of events in a packed message, so that a client can do other work between two messages. */
export const maxPackedEvents = 2_048;

/** Maximum total length of the templates of a packed message, in characters. Only the last template can exceed it. */
const maxTemplateLength = 256 * 1024;

/** A client keeps at most this many templates and shared parts. The packer then starts over. */
const maxTemplates = 16_384;
const maxParts = 131_072;

/** Parts with fewer characters than this are not shared. */
const shortestPart = 32;

/** The member of an object that refers to a shared part by its index. */
const reference = '$';

/** Several events in order, without gaps. */
export const packedEventsSchema = z.object({
  type: z.literal('packedEvents'),
  /** Number of the first event. */
  firstSeq: z.int().positive(),
  /** Number of templates that the client has. With 0, the client discards all its templates and parts. */
  known: z.int().nonnegative(),
  /** Parts that the client adds to its list. They and the templates refer to earlier parts: `{"$": index}`. */
  parts: z.array(z.unknown()),
  /**
   * Templates that the client adds to its list: events whose `seq`, `time`, `span` and `parent` are placeholders.
   */
  templates: z.array(z.unknown()),
  /** One entry per event: the index of its template in the client's list. */
  rows: z.array(z.int().nonnegative()),
  /** One entry per event: its time. */
  times: z.array(z.number()),
  /** One entry per event whose template has a `span`, in the order of the events. */
  spans: z.array(z.int().positive()),
  /** One entry per event whose template has a `parent`, in the order of the events. */
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

/** Collects parts that several templates share. */
class PartList {
  /** Indexes of the parts that the client has, by their text. */
  readonly #known = new Map<string, number>();
  readonly #names = new Map<string, string>();
  /** Texts of the parts that the client doesn't have yet. */
  added: string[] = [];

  get size(): number {
    return this.#known.size;
  }

  clear(): void {
    this.#known.clear();
    this.#names.clear();
  }

  /** Returns a value as JSON that refers to shared parts. */
  encode(value: unknown): string {
    if (typeof value === 'string') return this.#shared(JSON.stringify(value));
    if (typeof value !== 'object' || value === null) return JSON.stringify(value);
    return this.#shared(this.members(value));
  }

  /** Returns an object or a list as JSON whose members refer to shared parts. */
  members(value: object): string {
    let text = '';
    if (Array.isArray(value)) {
      for (const each of value as readonly unknown[]) text += `,${this.encode(each)}`;
      return `[${text.slice(1)}]`;
    }
    // An object that itself has a member `$` is sent as a list of its members.
    const isOdd = Object.hasOwn(value, reference);
    const members = value as Readonly<Record<string, unknown>>;
    for (const name in members) {
      const [key, member] = [this.#name(name), this.encode(members[name])];
      text += isOdd ? `,[${key},${member}]` : `,${key}:${member}`;
    }
    return isOdd ? `{"${reference}":[${text.slice(1)}]}` : `{${text.slice(1)}}`;
  }

  /** Returns the name of a member as JSON. The texts are cached, because the same names occur often. */
  #name(name: string): string {
    let text = this.#names.get(name);
    if (text === undefined) this.#names.set(name, (text = JSON.stringify(name)));
    return text;
  }

  #shared(text: string): string {
    if (text.length < shortestPart) return text;
    let index = this.#known.get(text);
    if (index === undefined) {
      index = this.#known.size;
      this.#known.set(text, index);
      this.added.push(text);
    }
    return `{"${reference}":${index}}`;
  }
}

/** Packs the events of one connection. */
export class EventPacker {
  /** Indexes of the templates that the client has. */
  readonly #known = new Map<string, number>();
  readonly #parts = new PartList();

  /** Returns a message with the first events (at least one), and the number of these events. Reads no later events. */
  pack(events: Iterable<SplitEvent>): { readonly text: string; readonly count: number } {
    if (this.#known.size >= maxTemplates || this.#parts.size >= maxParts) {
      this.#known.clear();
      this.#parts.clear();
    }
    this.#parts.added = [];
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
        templates.push(this.#parts.members(JSON.parse(template) as object));
        length += template.length;
      }
      rows.push(index);
      times.push(time);
      if (span !== undefined) spans.push(span);
      if (parent !== undefined) parents.push(parent);
      if (length >= maxTemplateLength || rows.length >= maxPackedEvents) break;
    }
    const text =
      `{"type":"packedEvents","firstSeq":${firstSeq},"known":${known},` +
      `"parts":[${this.#parts.added.join(',')}],"templates":[${templates.join(',')}],` +
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
  readonly #parts: unknown[] = [];

  /**
   * Returns the events of a message; undefined if it doesn't match the protocol. Changes the message, because the
   * events take over its values.
   */
  unpack(message: PackedEvents): readonly TraceEvent[] | undefined {
    const { firstSeq, known, parts, templates, rows, times, spans, parents } = message;
    if (known === 0) {
      this.#templates.length = 0;
      this.#parts.length = 0;
    }
    if (known !== this.#templates.length || rows.length !== times.length) return undefined;
    for (const part of parts) this.#parts.push(this.#resolve(part));
    for (const each of templates) {
      const value = this.#resolve(each);
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
      // If a column is too short, the placeholder stays. The check at the end then rejects the message.
      if (template.span !== undefined) event.span = spans[span++] ?? template.span;
      if (event.type === 'spanStarted' && event.parent !== undefined) event.parent = parents[parent++] ?? event.parent;
      events.push(event);
    }
    return span === spans.length && parent === parents.length ? events : undefined;
  }

  /** Returns a value with the parts it refers to. A part that was never sent becomes undefined. */
  #resolve(value: unknown): unknown {
    if (Array.isArray(value)) {
      for (const [index, each] of value.entries()) value[index] = this.#resolve(each);
      return value;
    }
    if (!isRecord(value)) return value;
    if (Object.hasOwn(value, reference)) return this.#referred(value[reference]);
    for (const name in value) {
      const before = value[name];
      if (typeof before === 'object' && before !== null) Reflect.set(value, name, this.#resolve(before));
    }
    return value;
  }

  #referred(to: unknown): unknown {
    if (typeof to === 'number') return this.#parts[to];
    if (!Array.isArray(to)) return undefined;
    return Object.fromEntries(
      to.map((member: unknown) => (Array.isArray(member) ? [String(member[0]), this.#resolve(member[1])] : [])),
    );
  }
}
