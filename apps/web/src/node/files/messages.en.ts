/** Contains the English texts of files and recordings. */
import { defineMessages } from '../../base/i18n/define-messages.ts';

export const fileMessages = defineMessages('files', {
  fromFile: 'This is a recording: {name}.',
  fromStore: 'This is a saved run: {name}.',
  nothingToDo: 'This is a recording. It cannot be changed.',
  notYours: 'This run is in another browser, which sends its events only: no logs, and no changes from here.',
  noRun: 'No run to save yet.',
});
