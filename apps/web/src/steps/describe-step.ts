/** A few words beside a step: what it decided. */
import { useQuery } from '@tanstack/react-query';
import { useT } from '../i18n/i18n.ts';
import type { StepView } from './steps-model.ts';

/** The outcome of a rule as the engine gives it, in a few words. */
function outcomeText(outcome: unknown): string {
  if (typeof outcome === 'string') return outcome;
  const text = JSON.stringify(outcome);
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}

/** What settled the step, or nothing. The texts of outcomes are many and come later: until then it is as the engine says it. */
export function useStepDescription({ span }: StepView): string {
  const t = useT();
  const texts = useQuery({ queryKey: ['outcomes'], queryFn: () => import('../inspector/why/say.ts'), staleTime: Number.POSITIVE_INFINITY }).data;
  const outcome = span?.decisions.findLast(({ decisive }) => decisive)?.outcome;
  if (outcome === undefined) return '';
  return texts ? texts.sayOutcome(t, outcome) : outcomeText(outcome);
}
