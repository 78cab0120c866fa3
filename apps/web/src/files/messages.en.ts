/** What is said of files and recordings. */
import { defineMessages } from '../i18n/define-messages.ts';

export const fileMessages = defineMessages('files', {
  fromFile: 'This is a recording: {name}.',
  fromStore: 'This is a kept run: {name}.',
  nothingToDo: 'This is a recording: nothing can be done to it any more.',
  noRun: 'There is no run to save yet.',
  problem: '{name}: {problem}',
});
