/** What the help says. */
import { defineMessages } from '../../i18n/define-messages.ts';

export const timelineKeyMessages = defineMessages('timelineKeys', {
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  panLeft: 'Earlier',
  panRight: 'Later',
  fit: 'Fit the selection, then everything',
  fold: 'Fold idle time, or show it',
  next: 'Next item of the lane',
  previous: 'Previous item of the lane',
  nextInRow: 'Next item of the row',
  previousInRow: 'Previous item of the row',
  laneUp: 'Lane above',
  laneDown: 'Lane below',
  toStart: 'Start of the run',
  toEnd: 'End of the run; live: follow',
  activate: 'Open the selection',
  clear: 'Clear range and selection',
});

export const helpMessages = defineMessages('help', {
  title: 'Keys',
  pointer: 'In the timeline: wheel with Ctrl or pinch zooms, drag pans, Shift and drag measures a stretch of time, a double click fits.',
});
