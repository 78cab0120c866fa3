/** What the tables of results and events say. */
import { defineMessages } from '../i18n/define-messages.ts';

export const tableMessages = defineMessages('tables', {
  time: 'Time',
  reason: 'Reason',
  container: 'Container',
  message: 'Message',
  seen: 'Seen',
  filterEvents: 'Filter events',
  warningsOnly: 'Warnings only',
  events: 'Events',
  noEventMatches: 'No event matches',
  inAll: '{count} in all.',
  noEvents: 'No events yet',
  noEventsNote: 'Pulling, Created, Started, BackOff and others appear here, as kubectl describe shows them.',
  sync: 'Sync',
  action: 'Action',
  target: 'Target',
  error: 'Error',
  duration: 'Duration',
  syncResults: 'Sync results',
  noResults: 'No results yet',
  noResultsNote: 'Each action of SyncPod leaves one: CreatePodSandbox, StartContainer, KillContainer and their errors.',
});
