/** Tells of every intervention: an event with a number, and that number on the span it touched. */
import type { Context, EventPayload, Span } from '@podscope/trace';

type InterventionPayload = Extract<EventPayload, { type: 'intervention' }>;

/** Numbers and tells interventions. */
export class Interventions {
  #last = 0;

  /** Emits the event and marks the span. @returns the intervention's number */
  tell(ctx: Context, span: Span | undefined, payload: Omit<InterventionPayload, 'type' | 'id' | 'point'>): number {
    const id = ++this.#last;
    ctx.tracer.emit(ctx, { type: 'intervention', id, point: span?.point.id, ...payload });
    span?.set({ intervention: id });
    return id;
  }
}
