/** Contains the Chinese texts of the metrics. */
import { translateMessages } from '../../base/i18n/define-messages.ts';
import { metricsMessages } from './messages.en.ts';

export const metrics = translateMessages(metricsMessages, {
  operations: 'CRI 操作',
  starts: '启动',
  operation: '操作',
  metric: '指标',
  calls: '调用次数',
  value: '值',
  errors: '错误',
  mean: '平均',
  median: '中位数',
  percentile99: '第 99 百分位',
  note: '截至所示时刻，节点上所有 Pod 的统计，由日志计算：{metrics}。',
  partial: '日志从事件 {seq} 开始，更早的调用未计入。',
  atMost: '≤ {duration}',
  more: '> {duration}',
  none: '还没有 CRI 调用',
  noneNote: '每次 CRI 调用都会计入其耗时和错误，与 kubelet 的 /metrics 相同。',
});
