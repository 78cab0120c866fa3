/** Names of the parts of the page. */
import { defineMessages } from '../i18n/define-messages.ts';

export const appMessages = defineMessages('app', {
  selectedPod: 'Selected pod',
  resizeTimeline: 'Resize timeline',
  resizePods: 'Resize pods',
  resizeInspector: 'Resize inspector',
});
