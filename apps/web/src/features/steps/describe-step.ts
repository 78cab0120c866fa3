/** Describes the decision of a step. */
import { useQuery } from '@tanstack/react-query';
import { useT } from '../../base/i18n/i18n.ts';
import type { StepView } from '../../node/syncs/steps-model.ts';
import { loadExplanations } from '../why/index.ts';

/** Formats the engine's outcome of a rule briefly. */
function outcomeText(outcome: unknown): string {
  if (typeof outcome === 'string') return outcome;
  const text = JSON.stringify(outcome);
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}

/**
 * Returns the decisive outcome of a step, or an empty string. The texts of outcomes load later; until then the
 * engine's value is shown.
 */
export function useStepDescription({ span }: StepView): string {
  const t = useT();
  const texts = useQuery({
    queryKey: ['outcomes'],
    queryFn: loadExplanations,
    staleTime: Number.POSITIVE_INFINITY,
  }).data;
  const outcome = span?.decisions.findLast(({ decisive }) => decisive)?.outcome;
  if (outcome === undefined) return '';
  return texts ? texts.translateOutcome(t, outcome) : outcomeText(outcome);
}
