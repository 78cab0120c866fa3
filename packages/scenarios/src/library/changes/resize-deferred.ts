/** Scenario: a resize waits until another pod leaves. */
import type { Scenario } from '../../scenario.ts';
import { documents, newestProfile, onlySimulated, podManifest, text } from '../authoring.ts';

export const resizeDeferred: Scenario = {
  id: 'resize-deferred',
  category: 'changes',
  title: text('Deferred resize', '推迟的调整'),
  summary: text(
    'The container requests two CPUs on a node with four, of which another pod holds three. The resize is ' +
      'deferred until that pod is deleted.',
    '节点有四个 CPU，另一个 Pod 占用了三个；容器要求两个。调整被推迟，直到那个 Pod 被删除。',
  ),
  notice: [
    text(
      'The condition PodResizePending has the reason Deferred, and no runtime call is made.',
      '状况 PodResizePending 的原因是 Deferred；没有调用运行时。',
    ),
    text(
      'When the other pod is removed, the kubelet decides again, and UpdateContainerResources follows.',
      '另一个 Pod 被移除后，kubelet 重新决定，随后调用 UpdateContainerResources。',
    ),
  ],
  manifest: documents(
    podManifest(
      'neighbor',
      `
terminationGracePeriodSeconds: 1
containers:
  - name: app
    image: busybox:1.36
    command: [sleep, '3600']
    resources:
      requests: { cpu: '3', memory: 64Mi }
`,
    ),
    podManifest(
      'resize-deferred',
      `
containers:
  - name: app
    image: busybox:1.36
    command: [sleep, '3600']
    resources:
      requests: { cpu: 100m, memory: 64Mi }
`,
    ),
  ),
  acts: [
    {
      at: 8,
      do: 'resize',
      pod: 'resize-deferred',
      container: 'app',
      resources: { requests: { cpu: '2', memory: '64Mi' } },
    },
    { at: 14, do: 'deletePod', pod: 'neighbor' },
  ],
  duration: 24,
  profiles: newestProfile,
  docker: onlySimulated(
    'It needs a node with four CPUs; the machine’s node has as many as the machine.',
    '它需要有四个 CPU 的节点；本机节点的 CPU 数与机器相同。',
  ),
};
