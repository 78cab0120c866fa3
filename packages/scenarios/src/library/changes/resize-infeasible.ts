/** Scenario: a resize requests more than the node has. */
import type { Scenario } from '../../scenario.ts';
import { appRuns, event, newestProfile, podManifest, text } from '../authoring.ts';

export const resizeInfeasible: Scenario = {
  id: 'resize-infeasible',
  category: 'changes',
  title: text('Resize that can’t be', '无法实现的调整'),
  summary: text(
    'The container asks for 64 CPUs on a node of four: the resize is infeasible, and the container goes on as it was.',
    '容器在四核节点上要求 64 个 CPU：调整不可行，容器照旧运行。',
  ),
  notice: [
    text(
      'The condition PodResizePending has reason Infeasible; nothing is called on the runtime.',
      '状况 PodResizePending 的原因是 Infeasible；没有调用运行时。',
    ),
    text(
      'Deferred would mean: not now, but perhaps when other pods have gone.',
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
