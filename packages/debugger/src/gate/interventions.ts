/**
 * Records every intervention: emits an event with a number, and stores that number in the span that the intervention
 * changed.
 */
import type { Context, EventPayload, Span } from '@podscope/trace';

type InterventionPayload = Extract<EventPayload, { type: 'intervention' }>;

/** Numbers interventions and emits their events. */
export class Interventions {
  #last = 0;

  /** Emits the event, stores the intervention's number in the span, and returns the number. */
  emit(ctx: Context, span: Span | undefined, payload: Omit<InterventionPayload, 'type' | 'id' | 'point'>): number {
    const id = ++this.#last;
    ctx.tracer.emit(ctx, { type: 'intervention', id, point: span?.point.id, ...payload });
    span?.set({ intervention: id });
    return id;
  }
}
