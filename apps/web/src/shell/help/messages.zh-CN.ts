/** Contains the Chinese texts of the keyboard shortcuts. */
import { translateMessages } from '../../base/i18n/define-messages.ts';
import { helpMessages, timelineKeyMessages } from './messages.en.ts';

export const timelineKeys = translateMessages(timelineKeyMessages, {
  zoomIn: '放大',
  zoomOut: '缩小',
  panLeft: '向更早移动',
  panRight: '向更晚移动',
  fit: '适配所选内容，再适配全部',
  fold: '折叠或展开空闲时间',
  next: '泳道中的下一项',
  previous: '泳道中的上一项',
  nextInRow: '行中的下一项',
  previousInRow: '行中的上一项',
  laneUp: '上一条泳道',
  laneDown: '下一条泳道',
  toStart: '运行的开头',
  toEnd: '运行的末尾；实时则跟随',
  activate: '打开所选内容',
  clear: '清除范围和选择',
});

export const help = translateMessages(helpMessages, {
  title: '快捷键',
  documentation: '文档（英文）',
  glossary: '术语表',
  pointer: '在时间线中：Ctrl 加滚轮或双指捏合可缩放，拖动可平移，按住 Shift 拖动可测量一段时间，双击可显示整个运行。',
});
