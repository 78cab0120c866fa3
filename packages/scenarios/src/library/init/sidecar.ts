/** Scenario: a sidecar, an init container that keeps running. */
import type { Scenario } from '../../scenario.ts';
import { event, line, newestProfile, podManifest, text } from '../authoring.ts';

export const sidecar: Scenario = {
  id: 'sidecar',
  category: 'init',
  title: text('Sidecar', '边车容器'),
  summary: text(
    'An init container with restartPolicy Always: it starts before the app, keeps running beside it, and is ' +
      'stopped after it.',
    '带有 restartPolicy Always 的 Init 容器：它在应用之前启动，在旁边持续运行，并在应用之后停止。',
  ),
  notice: [
    text(
      'The app starts once the sidecar’s startup probe has succeeded. It doesn’t wait for the sidecar’s exit.',
      '边车的启动探针成功后应用就启动，而不是等它结束：它不会结束。',
    ),
    text(
      'When the app has exited, the pod is done. The kubelet then stops the sidecar, as the last container.',
      '应用的工作完成后 Pod 就完成了：kubelet 最后停止边车。',
    ),
    text(
      'The sidecar’s status is in initContainerStatuses, with started: true.',
      '在容器状态中它与 Init 容器列在一起，started: true。',
    ),
  ],
  manifest: podManifest(
    'sidecar',
    `
restartPolicy: Never
terminationGracePeriodSeconds: 5
initContainers:
  - name: proxy
    image: busybox:1.36
    restartPolicy: Always
    command: [sh, -c, 'trap "echo stopping; exit 0" TERM; sleep 2; touch /tmp/ready; while true; do sleep 1; done']
    startupProbe:
      exec: { command: [test, -f, /tmp/ready] }
      periodSeconds: 1
      failureThreshold: 10
containers:
  - name: app
    image: busybox:1.36
    command: [sh, -c, 'echo working; sleep 8']
`,
  ),
  duration: 35,
  profiles: newestProfile,
  docker: {
    phase: 'Succeeded',
    containers: [
      { name: 'app', reason: 'Completed', exitCode: 0 },
      { name: 'proxy', reason: 'Completed', exitCode: 0 },
    ],
    events: [event('Killing', 'Stopping container proxy', 'proxy')],
    logs: [line('app', 'working'), line('proxy', 'stopping')],
  },
};
