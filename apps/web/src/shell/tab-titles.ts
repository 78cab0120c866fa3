/** What the tabs are called. */
import type { TabId } from '../state/view-address.ts';

export const tabTitles: Readonly<Record<TabId, string>> = {
  steps: 'Steps',
  code: 'Code',
  results: 'Results',
  events: 'Events',
  logs: 'Logs',
  spec: 'Spec',
  compare: 'Compare',
};
