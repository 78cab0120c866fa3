/** Contains the English texts of the metrics. */
import { defineMessages } from '../../base/i18n/define-messages.ts';

export const metricsMessages = defineMessages('metrics', {
  operations: 'CRI operations',
  starts: 'Starts',
  operation: 'Operation',
  metric: 'Metric',
  calls: 'Calls',
  value: 'Value',
  errors: 'Errors',
  mean: 'Mean',
  median: 'Median',
  percentile99: '99th percentile',
  note: 'All pods of the node up to the shown moment, counted from the log: {metrics}.',
  partial: 'The log begins at event {seq}. Earlier calls are not counted.',
  atMost: '≤ {duration}',
  more: '> {duration}',
  none: 'No CRI calls yet',
  noneNote: 'Each CRI call is counted with its duration and its error, as the kubelet does in /metrics.',
});
