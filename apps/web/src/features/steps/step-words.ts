/** Formats a step: its title, state, results or decision, and its accessible name. */
import { type InterventionRecord, interventionsWithin } from '@podscope/trace';
import { useQuery } from '@tanstack/react-query';
import type { translate } from '../../base/i18n/i18n.ts';
import type { Tone } from '../../base/ui/marks/StateMark.tsx';
import { shortId } from '../../base/ui/text/value-text.ts';
import { pointTitle } from '../../node/points/step-text.ts';
import { spanSubject } from '../../node/syncs/span-subject.ts';
import type { StepNode, StepState } from '../../node/syncs/step-tree.ts';
import type { SpanOf } from '../../node/syncs/sync-in-view.ts';
import { interventionMessages } from '../interventions/index.ts';
import { loadExplanations } from '../why/index.ts';
import { shadowMessages, stepStateMessages, stepsMessages } from './messages.en.ts';

export const stepTones: Readonly<Record<StepState, Tone>> = {
  done: 'done',
  failed: 'error',
  waiting: 'waiting',
  canceled: 'terminating',
  running: 'progressing',
  stopped: 'stopped',
  skipped: 'skipped',
  pending: 'pending',
  unreached: 'skipped',
  undecidable: 'pending',
};

/** Formats the outcome of a decision. */
export type DescribeOutcome = (t: typeof translate, outcome: unknown) => string;

/** Returns a short text for the outcome of a rule, as the engine names it. */
function outcomeText(outcome: unknown): string {
  if (typeof outcome === 'string') return outcome;
  const text = JSON.stringify(outcome);
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}

/**
 * Returns the function that formats outcomes of decisions. The translated texts are loaded later; until then, the
 * function uses the engine's value.
 */
export function useDescribeOutcome(): DescribeOutcome {
  const texts = useQuery({
    queryKey: ['outcomes'],
    queryFn: loadExplanations,
    staleTime: Number.POSITIVE_INFINITY,
  }).data;
  return texts?.translateOutcome ?? ((_, outcome) => outcomeText(outcome));
}

/** The words of one step. */
export interface StepWords {
  readonly title: string;
  /** The container or image that the step concerns. */
  readonly subject: string | undefined;
  readonly state: string;
  /** The results, the error or the decision of the step; empty if none of them needs to be shown. */
  readonly detail: string;
  readonly injected: readonly Pick<InterventionRecord, 'text'>[];
  /** The accessible name, in the order of the visible text (WCAG 2.5.3). */
  readonly spoken: string;
}

/** Shortens ids and UIDs, because the rows around a step show which pod, sandbox or container is meant. */
const shortTarget = (target: string): string =>
  shortId(target).replaceAll(/\b([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '$1…');

function detailOf(
  t: typeof translate,
  { span, results, decision, state, missing }: StepNode,
  describe: DescribeOutcome,
): string {
  if (missing !== undefined) return t(shadowMessages.missing, { input: missing });
  if (results.length > 0)
    return results
      .map(({ action, target, error, message }) =>
        [`${action} ${shortTarget(target)}`, error, message === error ? undefined : message].filter(Boolean).join(': '),
      )
      .join(' · ');
  if (span?.error && (state === 'failed' || state === 'waiting' || state === 'canceled'))
    return span.error.message === '' ? span.error.reason : `${span.error.reason}: ${span.error.message}`;
  return decision ? describe(t, decision.outcome) : '';
}

/**
 * Returns the words of a step in the language of the page.
 * @param elapsed the step's duration so far, as text; undefined for a step that didn't run
 */
export function stepWords(
  t: typeof translate,
  node: StepNode,
  describe: DescribeOutcome,
  spanOf: SpanOf,
  elapsed: string | undefined,
): StepWords {
  const title = pointTitle(t, node.point, node.title);
  const subject = node.span && spanSubject(node.span);
  const state = t(stepStateMessages[node.state]);
  const detail = detailOf(t, node, describe);
  const injected = interventionsWithin(node.span, spanOf);
  const name = subject === undefined ? title : `${title} ${subject}`;
  const more = [injected.length > 0 && t(interventionMessages.injected), detail, elapsed].filter(Boolean).join(', ');
  const values = { title: name, state, detail: more };
  // The row shows no text for the state "done", so the accessible name has this state at its end.
  const numbered = node.state === 'done' ? stepsMessages.spokenDone : stepsMessages.spokenDetail;
  const plain = node.state === 'done' ? stepsMessages.spokenPlainDone : stepsMessages.spokenPlainDetail;
  const spoken =
    node.number === undefined
      ? t(more ? plain : stepsMessages.spokenPlain, values)
      : t(more ? numbered : stepsMessages.spoken, { ...values, step: node.number });
  return { title, subject, state, detail, injected, spoken };
}
