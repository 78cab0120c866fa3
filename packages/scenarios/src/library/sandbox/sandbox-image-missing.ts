/** Scenario: the pause image isn't available. */
import type { Scenario } from '../../scenario.ts';
import { bothProfiles, onlySimulated, podManifest, text } from '../authoring.ts';
import { sandboxWords } from '../differences.ts';

export const sandboxImageMissing: Scenario = {
  id: 'sandbox-image-missing',
  category: 'sandbox',
  title: text('Sandbox image missing', '沙箱镜像缺失'),
  summary: text(
    'The node has no pause image, and its registry doesn’t answer. No pod can start, whatever images it uses.',
    '节点没有 pause 镜像，镜像仓库又不响应：无论 Pod 自己用什么镜像都无法启动。',
  ),
  notice: [
    text(
      'The image in the event isn’t in the manifest: it is the node’s sandbox image.',
      '事件中的镜像不在清单里：它是节点自己的镜像。',
    ),
    text(
      'Pull secrets don’t help, because the runtime pulls this image with the node’s credentials.',
      '拉取密钥帮不上忙：运行时用节点的凭据拉取这个镜像。',
    ),
    text('Each attempt takes 15 seconds, because the registry doesn’t answer.', '每次尝试都要等镜像仓库沉默 15 秒。'),
  ],
  manifest: podManifest(
    'sandbox-image-missing',
    `
containers:
  - name: app
    image: busybox:1.36
    command: [sleep, '3600']
`,
  ),
  simulator: {
    sandboxImage: 'pause.unreachable/pause:3.10',
    hasSandboxImage: false,
    registries: [{ host: 'pause.unreachable', failure: 'timeout' }],
  },
  duration: 60,
  profiles: bothProfiles,
  differs: sandboxWords,
  docker: onlySimulated(
    'On Docker this node takes a pause image of its own when it can’t have the official one.',
    '在 Docker 上，拿不到官方 pause 镜像时，本节点会使用自己的 pause 镜像。',
  ),
};
