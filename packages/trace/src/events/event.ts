/** Exports the types of events without their schemas, for the engine. */
import type { z } from 'zod';
import type { traceEventSchema } from './event-schema.ts';

/** An event of the log. */
export type TraceEvent = z.infer<typeof traceEventSchema>;

/** The name of an event type. */
export type TraceEventType = TraceEvent['type'];

/** The event of one type. */
export type TraceEventOf<T extends TraceEventType> = Extract<TraceEvent, { type: T }>;

type Stamped = 'seq' | 'time';
type WithoutStamp<E> = E extends TraceEvent ? Omit<E, Stamped> : never;

/** An event before the log adds its number and time. */
export type UnstampedEvent = WithoutStamp<TraceEvent>;

type Placed = Stamped | 'at' | 'thread' | 'pod' | 'span' | 'source' | 'inferred';
type WithoutPlace<E> = E extends TraceEvent ? Omit<E, Placed> & { readonly pod?: string } : never;

/** The part of an event that the caller provides; the tracer adds thread, pod and span from the context. */
export type EventPayload = WithoutPlace<TraceEvent>;

/**
 * The values of a span or a decision. The log keeps references to them, so the caller must not change them afterwards.
 */
export type Attributes = Readonly<Record<string, unknown>>;
