/** What the engine calls its steps, in the language of the page. */
import type { translate } from '../i18n/i18n.ts';
import { stepTextMessages } from './messages.en.ts';

const byEnglish = new Map(Object.values(stepTextMessages).map((message) => [message.message, message]));

/** A title or description of a step; what is none is left as it is: names of calls and functions are the same everywhere. */
export function sayStep(t: typeof translate, english: string): string {
  const message = byEnglish.get(english);
  return message ? t(message) : english;
}
