/** Contains the English texts of the pod list. */
import { defineMessages } from '../../base/i18n/define-messages.ts';

export const podMessages = defineMessages('pods', {
  title: 'Pods',
  newPod: 'New pod',
  filter: 'Filter pods',
  options: 'Sort and filter',
  order: 'Sort by',
  byname: 'Name',
  bystatus: 'Problems first',
  byrestarts: 'Most restarts',
  byage: 'Newest first',
  namespace: 'Namespace',
  allNamespaces: 'All namespaces',
  deleted: '{count, number} deleted',
  hideDeleted: 'Hide deleted pods',
  showDeleted: 'Show deleted pods',
  noneMatches: 'No matching pods',
  searched: 'Filters by name, namespace and status.',
  none: 'No pods',
  noneYet: 'New pods appear here.',
  reading: 'Loading pods…',
  noEngine: 'The engine in this page is not running.',
  away: 'The node is not responding. Pods appear here when it is back.',
  readyContainers: 'Ready containers',
  pausedAt: 'paused {phase, select, after {after} other {before}} {step}',
});
