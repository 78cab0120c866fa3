/** Contains the Chinese texts of the regions of the page. */
import { translateMessages } from '../../base/i18n/define-messages.ts';
import { appMessages } from './messages.en.ts';

export const app = translateMessages(appMessages, {
  selectedPod: '所选 Pod',
  resizeTimeline: '调整时间线大小',
  resizePods: '调整 Pod 列表大小',
  resizeInspector: '调整检查器大小',
});
