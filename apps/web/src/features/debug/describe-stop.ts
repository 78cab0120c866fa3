/** Describes why a thread is stopped. */
import type { StoppedThread } from '@podscope/protocol';
import type { translate } from '../../base/i18n/i18n.ts';
import { pointTitle } from '../../node/points/step-text.ts';
import { debugMessages as texts } from './messages.en.ts';

/** Use the engine's text if it has more details than the page's own text: the outcome of a decision, or an error. */
export function describeStop(t: typeof translate, { reason, text, phase, point, title }: StoppedThread): string {
  // Don't show the breakpoint's number: the page shows no ids, so it would look like a count.
  if (reason === 'exception' || !text.endsWith(`${phase} ${title}`))
    return text.replace(/^Breakpoint [\d, ]+:/, 'Breakpoint:');
  const where = t(texts.stopPlace, { phase, step: pointTitle(t, point, title) });
  return t(texts.stopReason, { reason, where });
}
