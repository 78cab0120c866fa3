/** The types of the event log, as the engine uses them (no schema code comes along). */
import type { z } from 'zod';
import type { traceEventSchema } from './event-schema.ts';

/** One entry of the log. */
export type TraceEvent = z.infer<typeof traceEventSchema>;

/** The name of a type of event. */
export type TraceEventType = TraceEvent['type'];

/** The entry of one type. */
export type TraceEventOf<T extends TraceEventType> = Extract<TraceEvent, { type: T }>;

type Stamped = 'seq' | 'time';
type WithoutStamp<E> = E extends TraceEvent ? Omit<E, Stamped> : never;

/** An event before the log has stamped it. */
export type UnstampedEvent = WithoutStamp<TraceEvent>;

type Placed = Stamped | 'thread' | 'pod' | 'span';
type WithoutPlace<E> = E extends TraceEvent ? Omit<E, Placed> & { readonly pod?: string } : never;

/** What a caller says of an event; the tracer adds thread, pod and span from the context. */
export type EventPayload = WithoutPlace<TraceEvent>;

/** The values a span or decision shows. Recorded by reference: whoever passes a value here does not change it afterwards. */
export type Attributes = Readonly<Record<string, unknown>>;
