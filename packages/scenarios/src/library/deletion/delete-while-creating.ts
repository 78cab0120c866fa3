/** Deleted before the sandbox is ready. */
import type { Scenario } from '../../scenario.ts';
import { bothProfiles, podManifest, text } from '../authoring.ts';

export const deleteWhileCreating: Scenario = {
  id: 'delete-while-creating',
  category: 'deletion',
  title: text('Deleted while the sandbox is made', '创建沙箱时删除'),
  summary: text(
    'The network plugin takes ten seconds, and the pod is deleted after three: there is neither address nor container yet.',
    '网络插件需要十秒，而三秒后 Pod 就被删除：还没有地址也没有容器。',
  ),
  notice: [
    text('What was begun must be undone: the half-made sandbox is removed before the pod may go.', '已开始的必须撤销：Pod 离开之前要移除半成品沙箱。'),
    text('The pod’s status never got beyond Pending.', 'Pod 的状态从未超过 Pending。'),
  ],
  manifest: podManifest(
    'delete-while-creating',
    `
containers:
  - name: app
    image: busybox:1.36
    command: [sleep, '3600']
`,
  ),
  simulator: {
    latencies: { RunPodSandbox: 180, 'CNI ADD': 10_000, 'CNI DEL': 40, StopPodSandbox: 60, RemovePodSandbox: 40, CreateContainer: 50, StartContainer: 160 },
  },
  acts: [{ at: 3, do: 'deletePod', pod: 'delete-while-creating' }],
  duration: 30,
  profiles: bothProfiles,
};
