/** Contains the English texts of files and recordings. */
import { defineMessages } from '../../base/i18n/define-messages.ts';

export const fileMessages = defineMessages('files', {
  fromFile: 'This is a recording: {name}.',
  fromStore: 'This is a saved run: {name}.',
  nothingToDo: 'This is a recording. It cannot be changed.',
  noRun: 'No run to save yet.',
});
