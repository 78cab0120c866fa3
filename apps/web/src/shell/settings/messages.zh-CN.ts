/** Contains the Chinese texts of the settings. */
import { translateMessages } from '../../base/i18n/define-messages.ts';
import { settingsMessages } from './messages.en.ts';

export const settings = translateMessages(settingsMessages, {
  title: '设置',
  appearance: '外观',
  theme: '主题',
  themeChoice: '{choice, select, light {浅色} dark {深色} other {跟随系统}}',
  language: '语言',
  languageSystem: '跟随浏览器',
  motion: '动效',
  motionChoice: '{choice, select, full {完整} reduced {减弱} other {跟随系统}}',
  contrast: '对比度',
  contrastChoice: '{choice, select, system {跟随系统} other {高}}',
  present: '演示模式',
  presentNote: '字更大、线更粗、干扰更少，适合投影。分享链接会包含此设置。',
  logs: '日志',
  logWrap: '长行自动换行',
  logTimestamps: '显示时间戳',
  debugger: '调试器',
  onDisconnect: '最后一个页面关闭时',
  onDisconnectNote: '停止的 Pod 可以继续执行，也可以等到再次有页面连接。',
  onDisconnectChoice: '{choice, select, keep {保持停止} other {全部继续}}',
  probes: '已停止 Pod 的探针',
  probesNote: '错过的探测没有结果：既不会重启容器，也不会使其就绪。',
  probesChoice: '{choice, select, held {推迟} made {照常} other {错过}}',
  ofNode: '节点设置，对所有用户生效。',
  help: '帮助',
  hints: '再次显示入门提示',
  kept: '设置保存在此浏览器中。',
});
