/** Contains the Chinese texts of the first screen. */
import { translateMessages } from '../../base/i18n/define-messages.ts';
import { startMessages } from './messages.en.ts';

export const start = translateMessages(startMessages, {
  title: '看看 kubelet 如何处理一个 Pod',
  introduction:
    'Podscope 逐步执行 kubelet 的 Pod 同步，可在 Docker 上或在模拟器中运行，并显示每一步的决定及其原因。' +
    '你可以在任意步骤暂停、修改值、继续执行，也可以回到过去。',
  ways: '开始方式',
  watch: '观察 Pod 启动',
  watchNote: '创建一个健康的 Pod：沙箱、镜像、容器、就绪。',
  broken: '调试有问题的 Pod',
  brokenNote: '创建一个会崩溃的 Pod，找出它在等待什么、为什么。',
  lesson: '学习一课',
  lessonNote: '引导式运行：先问接下来会发生什么，再展示结果。',
  manifest: '使用自己的清单',
  manifestNote: '粘贴 YAML、选择模板，或把文件拖放到本页。',
  guide: '如何阅读本页',
  scenarios: '播放场景',
  class: '开始课堂',
  explain: '解释其他集群中有问题的 Pod',
  kubectl: '此节点也是一个 Kubernetes API：',
  copyCommand: '复制命令',
});
