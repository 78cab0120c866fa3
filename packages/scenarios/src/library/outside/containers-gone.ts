/** Scenario: the node restarts and the runtime has lost all its containers. */
import type { Scenario } from '../../scenario.ts';
import { appRuns, bothProfiles, podManifest, text } from '../authoring.ts';

export const containersGone: Scenario = {
  id: 'containers-gone',
  category: 'outside',
  title: text('Node restart, containers gone', '节点重启，容器全无'),
  summary: text(
    'The runtime’s data is lost. After the restart there are neither sandboxes nor containers, and the ' +
      'pod is created from scratch.',
    '运行时的数据丢失：重启后既没有沙箱也没有容器。Pod 从零开始重建。',
  ),
  notice: [
    text(
      'The status shows what the kubelet last knew, because the runtime reports no container.',
      '状态是 kubelet 最后所知的；运行时没有任何东西可以对照。',
    ),
    text(
      'The first SyncPod finds no sandbox and creates one with attempt 0, as for a new pod.',
      '第一次 SyncPod 找不到沙箱：像新 Pod 一样，attempt 为 0。',
    ),
  ],
  manifest: podManifest(
    'containers-gone',
    `
containers:
  - name: app
    image: busybox:1.36
    command: [sleep, '3600']
`,
  ),
  acts: [{ at: 10, do: 'restartNode', downFor: 5, containersGone: true }],
  duration: 35,
  profiles: bothProfiles,
  differs: text(
    'v1.36 knows from the status that the container ran, and counts a restart. In v1.20 the phase ' +
      'returns to Pending, and the count starts at 0.',
    'v1.36 记得容器运行过，并计一次重启；在 v1.20 中 phase 退回 Pending，计数从 0 重新开始。',
  ),
  docker: {
    phase: 'Running',
    before: [appRuns],
    containers: [{ name: 'app', restarts: 1, ready: true }],
    inV120: { containers: [{ name: 'app', ready: true }] },
  },
};
