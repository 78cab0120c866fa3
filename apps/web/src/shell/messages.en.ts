/** What the frame of the page says. */
import { defineMessages } from '../i18n/i18n.ts';

export const tabTitleMessages = defineMessages('tabs', {
  steps: 'Steps',
  code: 'Code',
  results: 'Results',
  events: 'Events',
  logs: 'Logs',
  spec: 'Spec',
  compare: 'Compare',
});
