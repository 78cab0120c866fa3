/** Scenario: the node's network isn't ready when the pod is created. */
import type { Scenario } from '../../scenario.ts';
import { bothProfiles, onlySimulated, podManifest, text } from '../authoring.ts';
import { onlyLater } from '../differences.ts';

export const networkNotReady: Scenario = {
  id: 'network-not-ready',
  category: 'sandbox',
  title: text('Node network not ready', '节点网络未就绪'),
  summary: text(
    'The runtime reports that its network isn’t ready, as on a node whose CNI plugin is still being ' +
      'installed. Ten seconds later it is ready.',
    '运行时报告网络未就绪，就像 CNI 插件还在安装的节点。十秒后就绪。',
  ),
  notice: [
    text(
      'The kubelet doesn’t call the runtime manager’s SyncPod. It waits and reports NetworkNotReady.',
      '运行时的 SyncPod 根本不会被调用：kubelet 等待并报告 NetworkNotReady。',
    ),
    text('Pods on the host network would start meanwhile.', '使用主机网络的 Pod 在此期间仍可启动。'),
  ],
  manifest: podManifest(
    'no-pod-yet',
    `
containers:
  - name: app
    image: busybox:1.36
    command: [sleep, '3600']
`,
  ),
  acts: [
    { at: 4, do: 'setNetworkReady', ready: false },
    {
      at: 12,
      do: 'apply',
      manifest: podManifest(
        'network-not-ready',
        `
containers:
  - name: app
    image: busybox:1.36
    command: [sleep, '3600']
`,
      ),
    },
    { at: 22, do: 'setNetworkReady', ready: true },
  ],
  duration: 45,
  profiles: bothProfiles,
  differs: onlyLater,
  docker: onlySimulated(
    'It needs a network that is not there yet; Docker’s own always is.',
    '它需要一个尚未就绪的网络；Docker 自己的网络总是就绪的。',
  ),
};
