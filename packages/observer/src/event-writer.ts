/** Writes the events of an observation: numbers the spans and marks what was inferred. */
import { criPoints } from '@podscope/flow';
import type { Attributes, EventPayload, TraceEvent, UnstampedEvent } from '@podscope/trace';
import type { PodName } from './state/registry.ts';

/** The source of an event of an observed node. */
export type EventSource = 'cri' | 'pods' | 'otlp' | 'api' | 'shadow';

/** Receives events with their times, which need not be in order. */
export interface ObservationSink {
  append(time: number, event: UnstampedEvent): void;
}

/** The place of an event. */
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

/** Returns the point of a CRI call; also of a method that this version doesn't know. */
export const callPoint = (method: string): SpanPoint =>
  knownCalls[method] ?? { id: `cri.${method}`, kind: 'cri', title: method };

/** More than the rounding of a sum of times, in milliseconds. */
const rounding = 0.001;

export class EventWriter {
  readonly #sink: ObservationSink;
  #spans = 0;

  constructor(sink: ObservationSink) {
    this.#sink = sink;
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
    } = {},
  ): void {
    const { error, canceled, attributes } = result;
    const outcome = error ? (canceled ? 'canceled' : 'error') : 'ok';
    this.#append(time, place, { type: 'spanEnded', span, outcome, error, attributes });
  }

  /** Appends an event of any other type. */
  emit(time: number, place: EventPlace, payload: EventPayload): void {
    this.#append(time, place, { ...payload, span: place.parent });
  }

  /**
   * Appends the events of a computed sync below a span, with new span numbers, within its bounds. Its CRI calls
   * become predictions, so that they aren't taken for calls of the kubelet.
   * @param answers the span of the call that answered each call of the engine, in order
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
      // The engine's clock stops at the end of a call, up to rounding: what follows from the call comes after it.
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
    const event = { ...payload, thread, pod: pod?.uid, source, ...(inferred ? { inferred } : {}) };
    // The callers' payloads have a type of event each; the place has what all of them share.
    this.#sink.append(time, event as unknown as UnstampedEvent);
  }
}
