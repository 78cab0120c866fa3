/** Contains the English texts of the command palette. */
import { defineMessages } from '../../base/i18n/define-messages.ts';

export const paletteMessages = defineMessages('palette', {
  title: 'Search',
  label: 'Search pods, syncs, scenarios and commands',
  results: 'Results',
  nothing: 'No matches',
  commands: 'Commands',
  pods: 'Pods',
  syncs: 'Syncs of {pod}',
  scenarios: 'Scenarios',
  sync: 'Sync {number}',
  hint: '↑↓ to select, Enter to open, Esc to close',
});
