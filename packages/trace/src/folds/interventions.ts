/** What people and faults had a hand in: an injected failure is told apart from a real one wherever it is told on. */
import type { InterventionRecord, PodTrack, SpanRecord } from './tracks.ts';

type SpanOf = (id: number) => SpanRecord | undefined;

/** Words so short are found by chance. */
const shortestSaid = 3;

/** What was done to a span and to whatever it called, in the order of the calls. */
export function interventionsWithin(span: SpanRecord | undefined, spanOf: SpanOf): readonly InterventionRecord[] {
  if (!span) return [];
  return [...span.interventions, ...span.children.flatMap((child) => interventionsWithin(spanOf(child), spanOf))];
}

/** The interventions whose own words a text has: what is said of an injected failure, in an event, a result or a status, quotes it. */
export const interventionsQuoted = ({ interventions }: Pick<PodTrack, 'interventions'>, text: string | undefined): readonly InterventionRecord[] =>
  text === undefined ? [] : interventions.filter(({ said }) => said !== undefined && said.length >= shortestSaid && text.includes(said));

/** The interventions behind something that was said from within a span: those that it quotes, else those in the span that have no words, such as a delay. */
export function interventionsBehind(
  pod: Pick<PodTrack, 'interventions'>,
  text: string | undefined,
  span: SpanRecord | undefined,
  spanOf: SpanOf,
): readonly InterventionRecord[] {
  const quoted = interventionsQuoted(pod, text);
  return quoted.length > 0 ? quoted : interventionsWithin(span, spanOf).filter(({ said }) => said === undefined);
}
