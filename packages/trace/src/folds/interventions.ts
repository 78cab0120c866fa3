/** Finds the interventions behind spans and texts, so that injected failures are shown as injected everywhere. */
import type { InterventionRecord, PodTrack, SpanRecord } from './tracks.ts';

type SpanOf = (id: number) => SpanRecord | undefined;

/** Shorter texts would match by chance. */
const shortestSaid = 3;

/** Returns the interventions on a span and on the spans inside it, in order of the calls. */
export function interventionsWithin(span: SpanRecord | undefined, spanOf: SpanOf): readonly InterventionRecord[] {
  if (!span) return [];
  return [...span.interventions, ...span.children.flatMap((child) => interventionsWithin(spanOf(child), spanOf))];
}

/**
 * Returns the interventions whose injected text is part of `text`. Events, results and statuses quote the text of an
 * injected failure.
 */
export const interventionsQuoted = (
  { interventions }: Pick<PodTrack, 'interventions'>,
  text: string | undefined,
): readonly InterventionRecord[] =>
  text === undefined
    ? []
    : interventions.filter(({ said }) => said !== undefined && said.length >= shortestSaid && text.includes(said));

/**
 * Returns the interventions behind a text emitted inside a span: those that it quotes, or else those inside the span
 * without a text, such as a delay.
 */
export function interventionsBehind(
  pod: Pick<PodTrack, 'interventions'>,
  text: string | undefined,
  span: SpanRecord | undefined,
  spanOf: SpanOf,
): readonly InterventionRecord[] {
  const quoted = interventionsQuoted(pod, text);
  return quoted.length > 0 ? quoted : interventionsWithin(span, spanOf).filter(({ said }) => said === undefined);
}
