/** Contains the English texts of the run. */
import { defineMessages } from '../../base/i18n/define-messages.ts';

export const runMessages = defineMessages('run', {
  restarted: 'The server was restarted. This is a new run.',
  repeated: 'Replayed to event {seq} and paused. Make a change, then resume.',
});
