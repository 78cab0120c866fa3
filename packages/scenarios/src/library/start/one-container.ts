/** Scenario: the shortest path to a running pod. */
import type { Scenario } from '../../scenario.ts';
import { appRuns, bothProfiles, line, podManifest, text } from '../authoring.ts';

export const oneContainer: Scenario = {
  id: 'one-container',
  category: 'start',
  title: text('One container', '一个容器'),
  summary: text(
    'The shortest flow: a sandbox, an image that is already present, and one running container.',
    '最短的路径：一个沙箱、一个已存在的镜像、一个运行的容器。',
  ),
  notice: [
    text(
      'The sandbox is created before the container, because it has the pod’s network.',
      '最先创建的是沙箱：它持有 Pod 的网络。',
    ),
    text(
      'Most steps of SyncPod aren’t needed, and the second sync finds nothing to do.',
      'SyncPod 的步骤大多不需要执行；第二次同步发现无事可做。',
    ),
  ],
  manifest: podManifest(
    'one-container',
    `
containers:
  - name: app
    image: busybox:1.36
    command: [sh, -c, 'echo hello; exec sleep 3600']
`,
  ),
  duration: 20,
  profiles: bothProfiles,
  differs: text(
    'v1.36 has the condition PodReadyToStartContainers and sees at once that the container runs. v1.20 ' +
      'doesn’t have this condition and sees it at the next relist.',
    'v1.36 有 PodReadyToStartContainers 状况，并立即看到容器已运行；v1.20 没有这个状况，要到下一次 relist 才看到。',
  ),
  docker: {
    ...appRuns,
    address: 'own',
    conditions: [
      { type: 'Ready', status: 'True' },
      { type: 'PodReadyToStartContainers', status: 'True' },
    ],
    logs: [line('app', 'hello')],
    inV120: {
      conditions: [
        { type: 'Ready', status: 'True' },
        { type: 'PodReadyToStartContainers', status: 'absent' },
      ],
    },
  },
};
