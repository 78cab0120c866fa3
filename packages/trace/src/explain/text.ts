/** What explanations say: texts by name with the values in them, so that a page can say them in another language and a command line in English. */
import { explainMessages } from './messages.ts';

export type ExplainMessageId = keyof typeof explainMessages;

/** One sentence, or a few words. */
export interface ExplainText {
  readonly id: ExplainMessageId;
  readonly values: Readonly<Record<string, string | number>>;
  /** Those of the values that are times of day, in milliseconds since the Unix epoch: a page says them in its own time zone. */
  readonly instants?: Readonly<Record<string, number>>;
}

export const say = (id: ExplainMessageId, values: ExplainText['values'] = {}): ExplainText => ({ id, values });

/** The text in English. */
export const inEnglish = ({ id, values }: ExplainText): string =>
  explainMessages[id].replace(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));

/** Words with a meaning inside, which is a text too: the reader's language is chosen when it is said. */
export interface NestedText extends ExplainText {
  readonly nested: Readonly<Record<string, ExplainText>>;
}

export const nest = (text: ExplainText, nested: NestedText['nested']): NestedText => ({
  ...text,
  // In English as it stands; another language says the nested texts itself.
  values: { ...text.values, ...Object.fromEntries(Object.entries(nested).map(([name, value]) => [name, inEnglish(value)])) },
  nested,
});
