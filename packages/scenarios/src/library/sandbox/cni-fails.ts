/** Scenario: the network plugin fails a few times. */
import type { Scenario } from '../../scenario.ts';
import { bothProfiles, onlySimulated, podManifest, text } from '../authoring.ts';
import { failedSandbox } from '../differences.ts';

export const cniFails: Scenario = {
  id: 'cni-fails',
  category: 'sandbox',
  title: text('Network plugin fails', '网络插件失败'),
  summary: text(
    'The CNI plugin can’t connect the first two sandboxes; the third one works.',
    'CNI 插件无法连接前两个沙箱；第三个成功。',
  ),
  notice: [
    text(
      'A sandbox without a network isn’t used: the next attempt creates a new one.',
      '没有网络的沙箱不会被使用；下一次尝试会创建新的沙箱。',
    ),
    text(
      'The event is FailedCreatePodSandBox. The containers stay at ContainerCreating and have no restarts.',
      '事件是 FailedCreatePodSandBox；容器停留在 ContainerCreating，没有重启。',
    ),
    text(
      'Sandboxes have no crash back-off: each sync of the pod tries again.',
      '沙箱没有崩溃回退：Pod 的每次同步都会再次尝试。',
    ),
  ],
  manifest: podManifest(
    'cni-fails',
    `
containers:
  - name: app
    image: busybox:1.36
    command: [sleep, '3600']
`,
  ),
  simulator: {
    faults: [{ operation: 'CNI ADD', message: 'failed to find plugin "bridge" in path [/opt/cni/bin]', times: 2 }],
  },
  duration: 45,
  profiles: bothProfiles,
  differs: failedSandbox,
  docker: onlySimulated(
    'It needs a network plugin that fails; Docker’s own network does not.',
    '它需要一个会失败的网络插件；Docker 自己的网络不会失败。',
  ),
};
