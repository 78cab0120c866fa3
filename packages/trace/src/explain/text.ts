/** Defines texts as an id with values. The page can translate them, and the command line prints them in English. */
import { explainMessages } from './messages.ts';

export type ExplainMessageId = keyof typeof explainMessages;

/** A sentence or a phrase. */
export interface ExplainText {
  readonly id: ExplainMessageId;
  readonly values: Readonly<Record<string, string | number>>;
  /** The values that are times, in milliseconds since the Unix epoch. The page formats them in the user's time zone. */
  readonly instants?: Readonly<Record<string, number>>;
}

const isMessage = (id: string): id is ExplainMessageId => Object.hasOwn(explainMessages, id);

/**
 * Returns the text with this id. If its value `nodes` or `times` is 1, returns the singular text `<id>One`, if one
 * exists.
 */
export function textOf(id: ExplainMessageId, values: ExplainText['values'] = {}): ExplainText {
  const singular = `${id}One`;
  const isOne = Number(values['nodes'] ?? values['times']) === 1;
  return { id: isOne && isMessage(singular) ? singular : id, values };
}

/** Returns the text in English. */
export const inEnglish = ({ id, values }: ExplainText): string =>
  explainMessages[id].replace(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));

/**
 * Returns a value in at most `longest` characters. Of a message the middle is omitted, because Kubernetes and the
 * runtimes append the innermost error; of JSON the end is.
 */
export function elided(value: string, longest: number): string {
  if (value.length <= longest) return value;
  if (/^[[{]/.test(value)) return `${value.slice(0, longest - 1)}…`;
  const share = Math.floor(longest / 3);
  // Cuts between words, unless a word is as long as the part.
  const head = value.slice(0, share).replace(/(?<=\s)\S{0,20}$/, '');
  const tail = value.slice(value.length - (longest - share - 3)).replace(/^\S{0,20}(?=\s)/, '');
  return `${head.trimEnd()} … ${tail.trimStart()}`;
}

/** A text that has other texts as values. Each of these is translated on its own. */
export interface NestedText extends ExplainText {
  readonly nested: Readonly<Record<string, ExplainText>>;
}

/** Returns `text` with other texts as its values. */
export const nest = (text: ExplainText, nested: NestedText['nested']): NestedText => ({
  ...text,
  // These values are the English texts. A page in another language translates the nested texts.
  values: {
    ...text.values,
    ...Object.fromEntries(Object.entries(nested).map(([name, value]) => [name, inEnglish(value)])),
  },
  nested,
});
