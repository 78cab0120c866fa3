/** Contains the English texts of the waterfall. */
import { defineMessages } from '../../base/i18n/define-messages.ts';

export const waterfallMessages = defineMessages('waterfall', {
  label: 'Waterfall of sync {number}',
  bar: '{title}: {outcome}, from {from}, {duration}',
  barOnPath: '{title}: {outcome}, from {from}, {duration}, {share} of the critical path',
  cluster: '{count} calls: {titles}',
  criticalPath: 'Critical path',
  pathOf: 'Critical path: {duration}',
  noTime: 'All steps took less than the clock can measure.',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  fit: 'Fit the whole sync',
  ok: 'done',
  error: 'failed',
  canceled: 'canceled',
  open: 'running',
});
