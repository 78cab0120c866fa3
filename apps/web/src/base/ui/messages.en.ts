/** Contains the English texts of the UI kit. */
import { defineMessages } from '../i18n/define-messages.ts';

export const uiMessages = defineMessages('ui', {
  close: 'Close',
  copied: 'Copied',
  clear: 'Clear {field}',
  none: 'None',
  less: 'less',
  allCharacters: 'all {count, number} characters',
  moreOf: '{count} more of {total}',
});
