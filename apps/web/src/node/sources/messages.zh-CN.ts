/** Contains the Chinese texts of the sources of facts about a genuine kubelet. */
import { translateMessages } from '../../base/i18n/define-messages.ts';
import { factSourceMessages, sourceMessages } from './messages.en.ts';

export const factSource = translateMessages(factSourceMessages, {
  cri: ' CRI 调用',
  pods: ' kubelet 的 /pods',
  otlp: '追踪（OTLP）',
  api: ' API 服务器',
  shadow: '影子引擎',
});

export const source = translateMessages(sourceMessages, {
  source: '来源',
  observedIn: '观察自{source}',
  inferredFrom: '推断自{source}',
});
