/** Contains the English texts of the keyboard shortcuts. */
import { defineMessages } from '../../base/i18n/define-messages.ts';

export const timelineKeyMessages = defineMessages('timelineKeys', {
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  panLeft: 'Pan left',
  panRight: 'Pan right',
  fit: 'Fit the selection, then everything',
  fold: 'Fold or unfold idle time',
  next: 'Next item in the lane',
  previous: 'Previous item in the lane',
  nextInRow: 'Next item in the row',
  previousInRow: 'Previous item in the row',
  laneUp: 'Lane above',
  laneDown: 'Lane below',
  toStart: 'Start of the run',
  toEnd: 'End of the run; live: follow',
  activate: 'Open the selection',
  clear: 'Clear range and selection',
});

export const helpMessages = defineMessages('help', {
  title: 'Keyboard shortcuts',
  documentation: 'Documentation',
  glossary: 'Glossary',
  pointer:
    'In the timeline: Ctrl+wheel or pinch zooms, drag pans, Shift+drag measures a duration, double-click shows the ' +
    'whole run.',
});
