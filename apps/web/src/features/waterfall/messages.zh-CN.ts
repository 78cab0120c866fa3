/** Contains the Chinese texts of the waterfall. */
import { translateMessages } from '../../base/i18n/define-messages.ts';
import { waterfallMessages } from './messages.en.ts';

export const waterfall = translateMessages(waterfallMessages, {
  label: '第 {number} 次同步的瀑布图',
  bar: '{title}：{outcome}，从 {from} 开始，{duration}',
  barOnPath: '{title}：{outcome}，从 {from} 开始，{duration}，占关键路径的 {share}',
  cluster: '{count} 个调用：{titles}',
  criticalPath: '关键路径',
  pathOf: '关键路径：{duration}',
  noTime: '所有步骤的耗时都短于时钟的精度。',
  zoomIn: '放大',
  zoomOut: '缩小',
  fit: '显示整个同步',
  ok: '完成',
  error: '失败',
  canceled: '已取消',
  open: '进行中',
});
