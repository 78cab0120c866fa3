/** Maps recorded rules and outcomes to the names of their texts. */
import { outcomeMessages, ruleMessages } from './rule-messages.ts';

export type RuleName = keyof typeof ruleMessages;
export type OutcomeName = keyof typeof outcomeMessages;

/** Returns true if the rule has a text. */
export const isKnownRule = (rule: string): rule is RuleName => Object.hasOwn(ruleMessages, rule);

/** The name of an outcome's text, and the values of the text's placeholders. */
export interface OutcomeText {
  readonly name: OutcomeName;
  readonly values: Readonly<Record<string, string>>;
}

const exact = new Map(Object.entries(outcomeMessages).map(([name, text]) => [text as string, name as OutcomeName]));
const open = Object.entries(outcomeMessages).flatMap(([name, text]) =>
  text.endsWith('{rest}') ? [{ name: name as OutcomeName, prefix: text.slice(0, -'{rest}'.length) }] : [],
);

/** Returns the outcome's text, or undefined if the outcome is only a value. */
export function outcomeText(outcome: unknown): OutcomeText | undefined {
  if (typeof outcome !== 'string') return undefined;
  const known = exact.get(outcome);
  if (known) return { name: known, values: {} };
  const begun = open.find(({ prefix }) => outcome.startsWith(prefix));
  return begun && { name: begun.name, values: { rest: outcome.slice(begun.prefix.length) } };
}
