/** Records every intervention: an event with a number, and that number on the span it changed. */
import type { Context, EventPayload, Span } from '@podscope/trace';

type InterventionPayload = Extract<EventPayload, { type: 'intervention' }>;

/** Numbers interventions and emits their events. */
export class Interventions {
  #last = 0;

  /** Emits the event, marks the span, and returns the intervention's number. */
  emit(ctx: Context, span: Span | undefined, payload: Omit<InterventionPayload, 'type' | 'id' | 'point'>): number {
    const id = ++this.#last;
    ctx.tracer.emit(ctx, { type: 'intervention', id, point: span?.point.id, ...payload });
    span?.set({ intervention: id });
    return id;
  }
}
