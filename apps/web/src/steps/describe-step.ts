/** A few words beside a step: what it decided. */
import type { DecisionRecord } from '@podscope/trace';
import type { StepView } from './steps-model.ts';

/** The outcome of a rule in a few words. */
function outcomeText(outcome: unknown): string {
  if (typeof outcome === 'string') return outcome;
  if (outcome === undefined) return '';
  const text = JSON.stringify(outcome);
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}

const decisive = (decisions: readonly DecisionRecord[]): DecisionRecord | undefined => decisions.findLast((decision) => decision.decisive);

/** What settled the step, or nothing. */
export function describeStep({ span }: StepView): string {
  const decision = span && decisive(span.decisions);
  return decision ? outcomeText(decision.outcome) : '';
}
