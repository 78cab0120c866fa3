/** Says the engine's explanations in the page's language. */
import type { ExplainText, NestedText } from '@podscope/trace/explain';
import { isKnownRule, outcomeText } from '@podscope/trace/explain';
import type { Language, translate } from '../../i18n/i18n.ts';
import { sayFilled } from '../../i18n/say-filled.ts';
import { formatClock } from '../../ui/format.ts';
import { explainTexts, outcomeTexts, ruleTexts, whyMessages } from './messages.en.ts';

type Translate = typeof translate;

const isNested = (text: ExplainText): text is NestedText => 'nested' in text;

/** True for a text that this page knows, from wherever it came. */
export const isExplainText = (text: { readonly id: string }): text is ExplainText => text.id in explainTexts;

/** A sentence of an explanation. */
export function sayText(t: Translate, text: ExplainText): string {
  const nested = isNested(text) ? Object.fromEntries(Object.entries(text.nested).map(([name, inner]) => [name, sayText(t, inner)])) : {};
  const times = Object.fromEntries(Object.entries(text.instants ?? {}).map(([name, at]) => [name, formatClock(at, false)]));
  return sayFilled(t, explainTexts[text.id], { ...text.values, ...times, ...nested });
}

/** Sentences one after the other; Chinese has no space between them. */
export const saySentences = (t: Translate, language: Language, sentences: readonly ExplainText[]): string =>
  sentences.map((sentence) => sayText(t, sentence)).join(language === 'zh-CN' ? '' : ' ');

/** What a rule asks; undefined for one that has no text: its name says it then. */
export const sayRule = (t: Translate, rule: string): string | undefined => (isKnownRule(rule) ? t(ruleTexts[rule]) : undefined);

/** What a rule answered. */
export function sayOutcome(t: Translate, outcome: unknown): string {
  const known = outcomeText(outcome);
  if (known) return sayFilled(t, outcomeTexts[known.name], known.values);
  if (outcome === undefined || outcome === '') return t(whyMessages.noChange);
  if (typeof outcome === 'boolean') return outcome ? t(whyMessages.yes) : t(outcomeTexts.no);
  if (typeof outcome === 'string') return outcome;
  const text = JSON.stringify(outcome);
  return text.length > 160 ? `${text.slice(0, 159)}…` : text;
}
