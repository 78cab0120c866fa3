/** Formats why a thread is stopped. */
import type { StoppedThread } from '@podscope/protocol';
import type { translate } from '../../base/i18n/i18n.ts';
import { pointTitle } from '../../node/points/step-text.ts';
import { debugMessages as texts } from './messages.en.ts';

/** The engine's text is used where it has more details: the outcome of a decision, or an error. */
export function describeStop(t: typeof translate, { reason, text, phase, point, title }: StoppedThread): string {
  // The page shows no ids of breakpoints, so a number would look like a count.
  if (reason === 'exception' || !text.endsWith(`${phase} ${title}`))
    return text.replace(/^Breakpoint [\d, ]+:/, 'Breakpoint:');
  const where = t(texts.stopPlace, { phase, step: pointTitle(t, point, title) });
  return t(texts.stopReason, { reason, where });
}
