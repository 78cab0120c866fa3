/** Scenario: kubectl debug adds an ephemeral container to a running pod. */
import type { Scenario } from '../../scenario.ts';
import { appRuns, line, newestProfile, podManifest, text } from '../authoring.ts';

export const debugContainer: Scenario = {
  id: 'debug-container',
  category: 'changes',
  title: text('Ephemeral debug container', '临时调试容器'),
  summary: text(
    'An ephemeral container is added to a running pod, as kubectl debug does. It starts beside the ' +
      'others and is never restarted.',
    '像 kubectl debug 那样向运行中的 Pod 添加一个容器：它与其他容器并排启动，永不重启。',
  ),
  notice: [
    text(
      'SyncPod starts ephemeral containers in a step before init containers, so they can also debug a pod ' +
        'that is stuck.',
      '它在 SyncPod 中有自己的步骤，在 Init 容器之前：可以添加到卡住的 Pod。',
    ),
    text(
      'Once it has exited, it isn’t started again, whatever the restart policy is.',
      '它结束后就不再启动，无论重启策略是什么。',
    ),
  ],
  manifest: podManifest(
    'debug-container',
    `
containers:
  - name: app
    image: busybox:1.36
    command: [sleep, '3600']
`,
  ),
  acts: [
    {
      at: 8,
      do: 'debug',
      pod: 'debug-container',
      container: {
        name: 'debugger',
        image: 'busybox:1.36',
        command: ['sh', '-c', 'ps; sleep 5'],
        targetContainerName: 'app',
        imagePullPolicy: 'IfNotPresent',
        terminationMessagePath: '/dev/termination-log',
        terminationMessagePolicy: 'File',
      },
    },
  ],
  duration: 25,
  profiles: newestProfile,
  docker: {
    ...appRuns,
    before: [appRuns],
    containers: [
      { name: 'app', ready: true },
      { name: 'debugger', reason: 'Completed', exitCode: 0 },
    ],
    // The debug container sees the processes of its target container.
    logs: [line('debugger', 'sleep 3600')],
  },
};
