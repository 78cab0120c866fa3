/**
 * Finds the interventions that caused spans and texts, so that injected failures are marked as injected wherever they
 * are shown.
 */
import type { InterventionRecord, PodTrack, SpanRecord } from './tracks.ts';

type SpanOf = (id: number) => SpanRecord | undefined;

/** The length of the shortest text that is searched for. Shorter texts would match by chance. */
const shortestSaid = 3;

/** Returns the interventions on a span and on the spans inside it, in the order of the calls. */
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
 * Returns the interventions that caused a text, which was emitted inside a span. If the text quotes interventions,
 * returns these. Otherwise, returns the interventions inside the span that have no text, for example a delay.
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
