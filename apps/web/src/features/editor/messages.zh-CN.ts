/** Contains the Chinese texts of the manifest editor and its templates. */
import { translateMessages } from '../../base/i18n/define-messages.ts';
import { editorMessages, templateMessages } from './messages.en.ts';

export const editor = translateMessages(editorMessages, {
  newPod: '新建 Pod',
  templates: '模板',
  openFile: '打开文件',
  close: '关闭',
  loading: '正在加载编辑器…',
  manifest: '清单',
  errors: '清单中的错误',
  policy: '策略',
  policyNote: '服务器的策略拒绝这一项。允许什么由它的命令行决定。',
  cancel: '取消',
  apply: '应用',
  applying: '正在应用…',
  nothingToApply: '没有要应用的内容。',
  notConnected: '未连接。现在可以编写清单，等节点恢复后再应用。',
  start: '粘贴或编写清单，选一个模板，或把文件拖到这里。',
  toFix: '有 {count} 个错误要修正。',
  valid: '{count} 个对象，有效。',
  checking: '正在检查…',
  workloads: '{names}：此节点只运行 Pod，没有这 {count} 个工作负载的控制器。',
  takeTemplates: '使用 {count} 个 Pod 模板',
  adds: '默认值会补充 {count} 个字段',
  addsTo: '为 {name} 补充',
  tooLarge: '{name} 有 {size} KiB；清单上限为 {most} KiB。',
  notText: '{name} 不是文本文件。',
});

export const templates = translateMessages(templateMessages, {
  healthyTitle: '正常运行的 Pod',
  healthyText: '沙箱、镜像拉取、容器创建和启动都成功。',
  initTitle: '先 Init 容器，再应用',
  initText: 'Init 容器成功后应用才启动。',
  'crash-loopTitle': '反复崩溃',
  'crash-loopText': '三秒后退出，退出码 1；回退从 10 秒翻倍到 5 分钟。',
  'missing-imageTitle': '镜像不存在',
  'missing-imageText': '先 ErrImagePull，再 ImagePullBackOff。',
  oomTitle: '内存不足',
  oomText: '占用的内存超过上限：OOMKilled，退出码 137。',
  'post-startTitle': 'postStart 失败',
  'post-startText': 'FailedPostStartHook：容器被杀死并重新启动。',
  'pre-stopTitle': 'preStop 与宽限期',
  'pre-stopText': '删除它：先运行 preStop 钩子，然后 SIGTERM，再 SIGKILL。',
});
