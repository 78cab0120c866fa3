/** Translates the engine's explanations. */
import type { ExplainText, NestedText } from '@podscope/trace/explain';
import { isKnownRule, outcomeText } from '@podscope/trace/explain';
import { translateFilled } from '../../base/i18n/fill-text.ts';
import type { translate } from '../../base/i18n/i18n.ts';
import type { Language } from '../../base/preferences/languages.ts';
import { formatClock } from '../../base/ui/text/format.ts';
import { explainTexts, outcomeTexts, ruleTexts, whyMessages } from './messages.en.ts';

type Translate = typeof translate;

const isNested = (text: ExplainText): text is NestedText => 'nested' in text;

/** Returns true if this version of the page has the explanation text. */
export const isExplainText = (text: { readonly id: string }): text is ExplainText => text.id in explainTexts;

/** Formats a sentence of an explanation. */
export function translateText(t: Translate, text: ExplainText): string {
  const nested = isNested(text)
    ? Object.fromEntries(Object.entries(text.nested).map(([name, inner]) => [name, translateText(t, inner)]))
    : {};
  const times = Object.fromEntries(
    Object.entries(text.instants ?? {}).map(([name, at]) => [name, formatClock(at, false)]),
  );
  return translateFilled(t, explainTexts[text.id], { ...text.values, ...times, ...nested });
}

/** Joins sentences; Chinese uses no space between them. */
export const translateSentences = (t: Translate, language: Language, sentences: readonly ExplainText[]): string =>
  sentences.map((sentence) => translateText(t, sentence)).join(language === 'zh-CN' ? '' : ' ');

/** Returns the question that a rule answers; undefined if the rule has no text. */
export const translateRule = (t: Translate, rule: string): string | undefined =>
  isKnownRule(rule) ? t(ruleTexts[rule]) : undefined;

/** Formats the outcome of a rule. */
export function translateOutcome(t: Translate, outcome: unknown): string {
  const known = outcomeText(outcome);
  if (known) return translateFilled(t, outcomeTexts[known.name], known.values);
  if (outcome === undefined || outcome === '') return t(whyMessages.noChange);
  if (typeof outcome === 'boolean') return outcome ? t(whyMessages.yes) : t(outcomeTexts.no);
  if (typeof outcome === 'string') return outcome;
  const text = JSON.stringify(outcome);
  return text.length > 160 ? `${text.slice(0, 159)}…` : text;
}
