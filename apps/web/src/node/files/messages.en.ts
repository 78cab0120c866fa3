/** Contains the English texts of files and recordings. */
import { defineMessages } from '../../base/i18n/define-messages.ts';

export const fileMessages = defineMessages('files', {
  fromFile: 'This is a recording: {name}.',
  fromStore: 'This is a saved run: {name}.',
  nothingToDo: 'This is a recording. It cannot be changed.',
  notYours: 'This run is in another browser. It cannot be changed from here.',
  noLogs: 'The run in the other browser is a recording, which has no logs.',
  noRun: 'No run to save yet.',
});
