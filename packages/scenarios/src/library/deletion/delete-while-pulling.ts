/** Deleted in the middle of a pull. */
import type { Scenario } from '../../scenario.ts';
import { bothProfiles, podManifest, text } from '../authoring.ts';

export const deleteWhilePulling: Scenario = {
  id: 'delete-while-pulling',
  category: 'deletion',
  title: text('Deleted while pulling', '拉取时删除'),
  summary: text('The pod is deleted while its image is still on its way.', '在镜像还在拉取时删除 Pod。'),
  notice: [
    text(
      'v1.36 cancels the sync that is under way; the pull ends with “context canceled”, and the sandbox is stopped.',
      'v1.36 取消正在进行的同步；拉取以 “context canceled” 结束，沙箱被停止。',
    ),
    text('There was no container yet: nothing needs a grace period.', '还没有容器：不需要宽限期。'),
  ],
  manifest: podManifest(
    'delete-while-pulling',
    `
containers:
  - name: app
    image: slow.example/big/app:1.0
    command: [sleep, '3600']
`,
  ),
  simulator: {
    registries: [{ host: 'slow.example', bytesPerSecond: 2_000_000, otherRepositories: { tools: 'busybox', layers: [60_000_000], command: ['sh'] } }],
  },
  acts: [{ at: 8, do: 'deletePod', pod: 'delete-while-pulling' }],
  duration: 60,
  profiles: bothProfiles,
  differs: text(
    'v1.20 can’t cancel a sync: the pull goes on to its end before the pod’s worker looks at the deletion.',
    'v1.20 无法取消同步：拉取会进行到底，Pod 的 worker 才会处理删除。',
  ),
};
