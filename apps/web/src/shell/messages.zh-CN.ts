/** Contains the Chinese texts of the frame of the page. */
import { translateMessages } from '../base/i18n/define-messages.ts';
import { observedMessages, shellMessages, sourceMessages, tabTitleMessages, welcomeMessages } from './messages.en.ts';

export const tabTitles = translateMessages(tabTitleMessages, {
  steps: '步骤',
  code: '代码',
  results: '结果',
  events: '事件',
  logs: '日志',
  spec: '规约',
  metrics: '指标',
  compare: '对比',
});

export const shell = translateMessages(shellMessages, {
  details: '详情',
  loading: '正在加载…',
  close: '关闭',
  dismiss: '忽略',
  messages: '消息',
  notices: '提示',
  noticeCount: '{count, plural, other {# 条提示}}',
  search: '搜索',
  searchPlaceholder: '搜索…',
  navigation: 'Podscope 的各部分',
  lessons: '课程',
  explain: '解释',
  runs: '运行',
  faults: '故障',
  scenarios: '场景',
  settings: '设置',
  help: '帮助',
  podsPanel: 'Pod 面板',
  inspectorPanel: '检查器面板',
  theme: '主题：{theme, select, light {浅色} dark {深色} other {跟随系统}}',
  connection: '连接：{word}',
  connecting: '正在连接',
  away: '已断开',
  catchingUp: '正在补收事件',
  live: '实时',
  recording: '录制',
  readOnly: '只读',
  readOnlyReason: '此服务器为只读（--read-only 或 --kubeconfig）。',
  nodeNamed: '节点 {name}',
  openNode: '显示节点：CPU、内存、镜像、ConfigMap、Secret（Podscope {version}）',
  simulator: '模拟器',
  release: 'kubelet 版本',
  backToNode: '返回节点',
  simulatedTime: '模拟时间',
  letTimePass: '恢复时间',
  pauseTime: '暂停时间',
  nextEvent: '到下一个事件',
  speed: '速度',
  endPresentation: '退出演示模式',
  openInPodscope: '在 Podscope 中打开',
});

export const welcome = translateMessages(welcomeMessages, {
  connecting: '正在连接节点…',
  silent: '节点没有响应',
  startWith: '请运行',
  openAddress: '然后打开它打印的地址。本页会自动重试。',
  engineStarting: '正在本页中启动引擎…',
  engineFailed: '本页中的引擎未能启动',
  tryScenario: '请选择一个场景，或重新加载本页。',
  reading: '正在加载已有事件…',
  noSuchPod: '没有名为 {name} 的 Pod',
  otherRun: '该链接可能属于另一次运行。请在左侧选择一个 Pod。',
  noPodThen: '运行到此刻时没有 Pod',
  podNotThen: '运行到此刻时没有 Pod {name}',
  chooseOtherTime: '请用滑块选择其他时刻。',
  select: '请选择一个 Pod',
  appearsHere: '它的时间线、各次同步的步骤、结果、事件和日志会显示在这里。',
  noPods: '还没有 Pod',
  noPodsRecorded: '此录制中没有 Pod',
  playScenario: '播放场景',
});

export const observed = translateMessages(observedMessages, {
  genuine: 'kubelet {version}（上游）',
  genuineUnknown: '上游 kubelet',
  sources: '来源：{names}',
  missing: '缺少的来源：{names}',
  approximate: '影子引擎按 {profile} 计算同步，这是它所知道的最接近的版本。',
  agreement: '{decided} 次中 {agrees} 次与预测一致',
  unknown: '{unknown} 次无法判定',
  counts:
    '至少有一次写调用的同步：{agrees} 次与预测一致，{differs} 次不同，{unknown} 次因没有来源提供某项输入而无法判定。' +
    '可判定的同步中，{share} 与预测一致。',
});

export const observedSources = translateMessages(sourceMessages, {
  cri: 'CRI 调用',
  pods: 'kubelet 的 /pods',
  configz: 'kubelet 的 /configz',
  otlp: '追踪（OTLP）',
  api: 'API 服务器',
});
