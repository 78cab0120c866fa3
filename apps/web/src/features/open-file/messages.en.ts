/** Contains the English texts for opening files. */
import { defineMessages } from '../../base/i18n/define-messages.ts';

export const openFileMessages = defineMessages('openFile', {
  problem: '{name}: {problem}',
  drop: 'Drop a manifest to edit it, or a saved run to open it',
});
