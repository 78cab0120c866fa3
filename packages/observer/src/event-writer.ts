/** Writes the events of an observation: numbers the spans, and marks the events that were inferred. */
import { criPoints } from '@podscope/flow';
import type { Attributes, EventPayload, TraceEvent, UnstampedEvent } from '@podscope/trace';
import type { SecretValues } from './mask.ts';
import type { PodName } from './state/registry.ts';

/** The source of an event of an observed node. */
export type EventSource = 'cri' | 'pods' | 'otlp' | 'api' | 'shadow';

/** Receives events with their times, which need not be in order. */
export interface ObservationSink {
  append(time: number, event: UnstampedEvent): void;
}

/** Where an event belongs: its thread, pod and parent span. */
export interface EventPlace {
  readonly thread: string;
  readonly pod?: PodName | undefined;
  readonly parent?: number | undefined;
  readonly source: EventSource;
  readonly inferred?: boolean | undefined;
}

export interface SpanPoint {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
}

const knownCalls: Readonly<Record<string, SpanPoint | undefined>> = criPoints;

/** Returns the point of a CRI call, even if this version doesn't know the method. */
export const callPoint = (method: string): SpanPoint =>
  knownCalls[method] ?? { id: `cri.${method}`, kind: 'cri', title: method };

/** A tolerance for sums of times, in milliseconds: larger than any rounding error. */
const rounding = 0.001;

export class EventWriter {
  readonly #sink: ObservationSink;
  readonly #secrets: SecretValues | undefined;
  #spans: number;

  /**
   * @param spans the highest number of a span so far
   * @param secrets the values that are masked in the free texts of each pod's events
   */
  constructor(sink: ObservationSink, spans = 0, secrets?: SecretValues) {
    this.#sink = sink;
    this.#spans = spans;
    this.#secrets = secrets;
  }

  /** Opens a span and returns its number. */
  begin(time: number, place: EventPlace, point: SpanPoint, attributes: Attributes): number {
    const span = ++this.#spans;
    const { id, kind, title } = point;
    this.#append(time, place, { type: 'spanStarted', span, parent: place.parent, point: id, kind, title, attributes });
    return span;
  }

  /** Closes a span. */
  end(
    time: number,
    place: EventPlace,
    span: number,
    result: {
      readonly error?: { readonly reason: string; readonly message: string } | undefined;
      readonly canceled?: boolean;
      readonly attributes?: Attributes;
      /** The exact start, if it differs from the one with which the span began. */
      readonly start?: number | undefined;
    } = {},
  ): void {
    const { error, canceled, attributes, start } = result;
    const outcome = error ? (canceled ? 'canceled' : 'error') : 'ok';
    this.#append(time, place, { type: 'spanEnded', span, outcome, error, attributes, start });
  }

  /** Appends an event of any other type. */
  emit(time: number, place: EventPlace, payload: EventPayload): void {
    this.#append(time, place, { ...payload, span: place.parent });
  }

  /**
   * Appends the events of a computed sync below a span. The events get new span numbers, and times within `bounds`. CRI
   * calls of the engine become predictions, so that they don't look like calls of the kubelet.
   * @param answers for each call of the engine, in order, the span of the kubelet's call that answered it
   */
  copy(
    bounds: { readonly from: number; readonly to: number },
    place: EventPlace,
    events: readonly TraceEvent[],
    answers: readonly (number | undefined)[],
  ): void {
    const numbers = new Map<number, number>();
    let calls = 0;
    for (const event of events) {
      const { seq: _seq, time: at, thread: _thread, pod: _pod, ...payload } = event;
      // The engine's clock stops at the end of a call, up to rounding errors. Events that follow the call must be later
      // than it.
      const time = Math.max(bounds.from, Math.min(at + rounding, bounds.to));
      const numberOf = (span: number | undefined): number | undefined =>
        span === undefined ? place.parent : (numbers.get(span) ?? place.parent);
      if (payload.type === 'spanStarted') {
        numbers.set(payload.span, ++this.#spans);
        const isCall = payload.kind === 'cri';
        const followedBy = isCall ? answers[calls++] : undefined;
        this.#append(time, place, {
          ...payload,
          span: this.#spans,
          parent: numberOf(payload.parent),
          ...(isCall ? { point: payload.point.replace(/^cri\./, 'shadow.'), kind: 'criStep' } : {}),
          ...(followedBy === undefined ? {} : { attributes: { ...payload.attributes, followedBy } }),
        });
      } else if (payload.type === 'spanEnded') {
        this.#append(time, place, { ...payload, span: numbers.get(payload.span) ?? payload.span });
      } else this.#append(time, place, { ...payload, span: numberOf(payload.span) });
    }
  }

  #append(
    time: number,
    { thread, pod, source, inferred }: EventPlace,
    payload: Readonly<Record<string, unknown>>,
  ): void {
    const kept = this.#secrets?.freeTexts(pod?.uid, payload) ?? payload;
    const event = { ...kept, thread, pod: pod?.uid, source, ...(inferred ? { inferred } : {}) };
    // The cast joins a payload, whose members depend on the type of event, with the members that all events share.
    this.#sink.append(time, event as unknown as UnstampedEvent);
  }
}
