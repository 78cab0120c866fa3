/** Scenario: a pod is deleted during an image pull. */
import type { Scenario } from '../../scenario.ts';
import { bothProfiles, onlySimulated, podManifest, text } from '../authoring.ts';

export const deleteWhilePulling: Scenario = {
  id: 'delete-while-pulling',
  category: 'deletion',
  title: text('Deleted while pulling', '拉取时删除'),
  summary: text('The pod is deleted while its image is being pulled.', '在镜像还在拉取时删除 Pod。'),
  notice: [
    text(
      'The runtime manager’s SyncPod isn’t interrupted: the pull continues although the pod is being deleted.',
      '运行时的 SyncPod 一旦开始就会进行到底：尽管没有人再需要这个 Pod，拉取仍会继续。',
    ),
    text('v1.36 even starts the container and stops it at once.', 'v1.36 甚至会启动容器，然后立即停止它。'),
    text(
      'kubectl shows Terminating during this time: the pod has a deletionTimestamp, and its worker is busy.',
      'kubectl 在此期间一直显示 Terminating：Pod 有 deletionTimestamp，而它的 worker 正忙。',
    ),
  ],
  manifest: podManifest(
    'delete-while-pulling',
    `
terminationGracePeriodSeconds: 2
containers:
  - name: app
    image: slow.example/big/app:1.0
    command: [sleep, '3600']
`,
  ),
  simulator: {
    registries: [
      {
        host: 'slow.example',
        bytesPerSecond: 2_000_000,
        otherRepositories: { tools: 'busybox', layers: [60_000_000], command: ['sh'] },
      },
    ],
  },
  acts: [{ at: 8, do: 'deletePod', pod: 'delete-while-pulling' }],
  duration: 60,
  profiles: bothProfiles,
  differs: text(
    'In v1.20 housekeeping finds a deleted pod without running containers and stops its sandbox during ' +
      'the pull. The container then can’t be started.',
    '在 v1.20 中，housekeeping 发现一个没有运行容器的已删除 Pod，会在拉取期间停止它的沙箱：容器再也无法启动。',
  ),
  docker: onlySimulated(
    'It needs a registry that takes half a minute for an image; a real one can’t be told to.',
    '它需要一个拉取镜像要半分钟的镜像仓库；真实的仓库不听安排。',
  ),
};
