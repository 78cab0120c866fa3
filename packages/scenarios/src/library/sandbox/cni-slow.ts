/** Scenario: the network plugin is slow. */
import type { Scenario } from '../../scenario.ts';
import { bothProfiles, onlySimulated, podManifest, text } from '../authoring.ts';
import { onlyLater } from '../differences.ts';

export const cniSlow: Scenario = {
  id: 'cni-slow',
  category: 'sandbox',
  title: text('Slow network plugin', '缓慢的网络插件'),
  summary: text(
    'The CNI plugin needs 15 seconds to connect a pod, and the pod’s containers wait for it.',
    'CNI 插件需要 15 秒才能连接 Pod：容器都在等待它。',
  ),
  notice: [
    text(
      'The whole delay is in the step of SyncPod that creates the sandbox, inside RunPodSandbox.',
      '所有时间都花在 SyncPod 创建沙箱的那一步，在 RunPodSandbox 之内。',
    ),
    text(
      'Images are pulled and containers started later, so a slow network delays everything.',
      '镜像和容器都在后面：慢网络拖延一切。',
    ),
  ],
  manifest: podManifest(
    'cni-slow',
    `
containers:
  - name: app
    image: busybox:1.36
    command: [sleep, '3600']
`,
  ),
  simulator: { latencies: { 'CNI ADD': '15s' } },
  duration: 30,
  profiles: bothProfiles,
  differs: onlyLater,
  docker: onlySimulated(
    'It needs a network plugin that takes its time; Docker’s own network is there at once.',
    '它需要一个很慢的网络插件；Docker 自己的网络立即可用。',
  ),
};
