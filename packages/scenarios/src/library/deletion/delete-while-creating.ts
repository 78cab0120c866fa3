/** Scenario: a pod is deleted before its sandbox is ready. */
import type { Scenario } from '../../scenario.ts';
import { bothProfiles, podManifest, text } from '../authoring.ts';
import { removal } from '../differences.ts';

export const deleteWhileCreating: Scenario = {
  id: 'delete-while-creating',
  category: 'deletion',
  title: text('Deleted while the sandbox is created', '创建沙箱时删除'),
  summary: text(
    'The network plugin takes ten seconds, and the pod is deleted after three. It has neither an address ' +
      'nor a container yet.',
    '网络插件需要十秒，而三秒后 Pod 就被删除：还没有地址也没有容器。',
  ),
  notice: [
    text(
      'Neither RunPodSandbox nor its sync is interrupted: the sandbox gets its network, and even the ' +
        'container is started.',
      'RunPodSandbox 不会被中断，它所属的同步也不会：沙箱会得到网络，甚至容器也会启动。',
    ),
    text(
      'Only the next sync handles the deletion and stops everything again.',
      '只有下一次同步才会看到删除，并把一切再次拆除。',
    ),
  ],
  manifest: podManifest(
    'delete-while-creating',
    `
terminationGracePeriodSeconds: 2
containers:
  - name: app
    image: busybox:1.36
    command: [sleep, '3600']
`,
  ),
  simulator: { latencies: { 'CNI ADD': '10s' } },
  acts: [{ at: 3, do: 'deletePod', pod: 'delete-while-creating' }],
  duration: 30,
  profiles: bothProfiles,
  differs: removal,
  docker: { phase: 'gone', before: [{ phase: 'Pending', containers: [{ name: 'app', reason: 'ContainerCreating' }] }] },
};
