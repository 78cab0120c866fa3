/** Contains the English texts of the regions of the page. */
import { defineMessages } from '../../base/i18n/define-messages.ts';

export const appMessages = defineMessages('app', {
  selectedPod: 'Selected pod',
  resizeTimeline: 'Resize timeline',
  resizePods: 'Resize pods',
  resizeInspector: 'Resize inspector',
});
