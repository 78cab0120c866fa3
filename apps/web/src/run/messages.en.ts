/** What is said of the run as a whole. */
import { defineMessages } from '../i18n/define-messages.ts';

export const runMessages = defineMessages('run', {
  restarted: 'The server was restarted. This is its new run; what was here before belonged to the last one.',
  repeated: 'The run was run again up to the instant of event {seq}, and stands still there: change something, then let time pass.',
});
