/** Why a thread stands still, in the language of the page. */
import type { StoppedThread } from '@podscope/protocol';
import type { translate } from '../i18n/i18n.ts';
import { sayStep } from '../steps/step-text.ts';
import { debugMessages as texts } from './messages.en.ts';

/** The engine's words are taken where they tell more than the stop itself has: what a decision came to, or an error. */
export function sayStop(t: typeof translate, { reason, text, phase, title, breakpoints }: StoppedThread): string {
  if (reason === 'exception' || !text.endsWith(`${phase} ${title}`)) return text;
  const where = t(texts.stopPlace, { phase, step: sayStep(t, title) });
  return t(texts.stopReason, { reason, breakpoints: breakpoints.join(', '), where });
}
