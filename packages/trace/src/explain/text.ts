/** What explanations say: texts by name with the values in them, so that a page can say them in another language and a command line in English. */
import { explainMessages } from './messages.ts';

export type ExplainMessageId = keyof typeof explainMessages;

/** One sentence, or a few words. */
export interface ExplainText {
  readonly id: ExplainMessageId;
  readonly values: Readonly<Record<string, string | number>>;
}

export const say = (id: ExplainMessageId, values: ExplainText['values'] = {}): ExplainText => ({ id, values });

/** The text in English. */
export const inEnglish = ({ id, values }: ExplainText): string =>
  explainMessages[id].replace(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));
