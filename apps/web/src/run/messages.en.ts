/** What is said of the run as a whole. */
import { defineMessages } from '../i18n/define-messages.ts';

export const runMessages = defineMessages('run', {
  restarted: 'The server was restarted. This is its new run; what was here before belonged to the last one.',
});
