/** From a rule and its outcome, as the engine recorded them, to texts that people read. */
import { outcomeMessages, ruleMessages } from './rule-messages.ts';

export type RuleName = keyof typeof ruleMessages;
export type OutcomeName = keyof typeof outcomeMessages;

/** True for a rule that has a text of its own. */
export const isKnownRule = (rule: string): rule is RuleName => Object.hasOwn(ruleMessages, rule);

/** An answer of a rule, by name, with what is particular to it. */
export interface OutcomeText {
  readonly name: OutcomeName;
  readonly values: Readonly<Record<string, string>>;
}

const exact = new Map(Object.entries(outcomeMessages).map(([name, text]) => [text as string, name as OutcomeName]));
const open = Object.entries(outcomeMessages).flatMap(([name, text]) =>
  text.endsWith('{rest}') ? [{ name: name as OutcomeName, prefix: text.slice(0, -'{rest}'.length) }] : [],
);

/** The answer's text; undefined for one that only shows values. */
export function outcomeText(outcome: unknown): OutcomeText | undefined {
  if (typeof outcome !== 'string') return undefined;
  const known = exact.get(outcome);
  if (known) return { name: known, values: {} };
  const begun = open.find(({ prefix }) => outcome.startsWith(prefix));
  return begun && { name: begun.name, values: { rest: outcome.slice(begun.prefix.length) } };
}
