/** Scenario: a resize requests more than the node has. */
import type { Scenario } from '../../scenario.ts';
import { appRuns, event, newestProfile, podManifest, text } from '../authoring.ts';

export const resizeInfeasible: Scenario = {
  id: 'resize-infeasible',
  category: 'changes',
  title: text('Infeasible resize', '无法实现的调整'),
  summary: text(
    'The container requests 64 CPUs on a node with four. The resize is infeasible, and the container ' +
      'keeps its resources.',
    '容器在四核节点上要求 64 个 CPU：调整不可行，容器照旧运行。',
  ),
  notice: [
    text(
      'The condition PodResizePending has the reason Infeasible, and no runtime call is made.',
      '状况 PodResizePending 的原因是 Infeasible；没有调用运行时。',
    ),
    text(
      'The reason Deferred would mean that the resize may fit later, when other pods are gone.',
      'Deferred 的意思是：现在不行，但其他 Pod 离开后也许可以。',
    ),
  ],
  manifest: podManifest(
    'resize-infeasible',
    `
containers:
  - name: app
    image: busybox:1.36
    command: [sleep, '3600']
    resources:
      requests: { cpu: 100m, memory: 64Mi }
`,
  ),
  acts: [
    {
      at: 8,
      do: 'resize',
      pod: 'resize-infeasible',
      container: 'app',
      resources: { requests: { cpu: '64', memory: '64Mi' } },
    },
  ],
  duration: 20,
  profiles: newestProfile,
  docker: {
    ...appRuns,
    before: [appRuns],
    conditions: [{ type: 'PodResizePending', status: 'True', reason: 'Infeasible' }],
    noEvents: [event('Killing'), event('ResizeCompleted')],
  },
};
