/** What the palette says. */
import { defineMessages } from '../../i18n/define-messages.ts';

export const paletteMessages = defineMessages('palette', {
  title: 'Search',
  label: 'Search pods, syncs, scenarios and commands',
  results: 'Results',
  nothing: 'Nothing has these letters in this order.',
  commands: 'Commands',
  pods: 'Pods',
  syncs: 'Syncs of {pod}',
  scenarios: 'Scenarios',
  sync: 'Sync {number}',
  hint: '↑↓ to choose, Enter to go, Esc to close',
});
