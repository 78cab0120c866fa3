/** Contains the English texts of the tables of results and events. */
import { defineMessages } from '../../base/i18n/define-messages.ts';

export const tableMessages = defineMessages('tables', {
  time: 'Time',
  reason: 'Reason',
  container: 'Container',
  message: 'Message',
  seen: 'Seen',
  filterEvents: 'Filter events',
  warningsOnly: 'Warnings only',
  events: 'Events',
  noEventMatches: 'No matching events',
  inAll: '{count} in total.',
  noEvents: 'No events yet',
  noEventSource: 'No events, because the API server is not connected',
  noEventSourceNote:
    'A genuine kubelet sends its events to the API server. Start podscope observe with --kubeconfig FILE to read them.',
  noEventsNote: 'Pulling, Created, Started, BackOff and other events appear here, as in kubectl describe.',
  sync: 'Sync',
  action: 'Action',
  target: 'Target',
  error: 'Error',
  duration: 'Duration',
  syncResults: 'Sync results',
  noResults: 'No results yet',
  noResultsNote: 'Each action of SyncPod adds one: CreatePodSandbox, StartContainer, KillContainer and their errors.',
});
