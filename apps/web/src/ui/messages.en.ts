/** What parts used everywhere say themselves. */
import { defineMessages } from '../i18n/define-messages.ts';

export const uiMessages = defineMessages('ui', {
  close: 'Close',
  copied: 'Copied',
  clear: 'Clear {field}',
  none: 'None',
  injected: 'injected',
});
