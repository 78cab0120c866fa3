/** Scenario: a pod is deleted while an init container runs. */
import type { Scenario } from '../../scenario.ts';
import { bothProfiles, event, podManifest, text } from '../authoring.ts';
import { removal } from '../differences.ts';

export const deleteWhileInitializing: Scenario = {
  id: 'delete-while-initializing',
  category: 'deletion',
  title: text('Deleted while initializing', '初始化时删除'),
  summary: text(
    'The pod is deleted while its init container runs. The init container is stopped like any other ' +
      'container, and the app never starts.',
    '在 Init 容器运行时删除 Pod：它像其他容器一样被停止，应用永远不会启动。',
  ),
  notice: [
    text('The init container gets SIGTERM and the grace period.', 'Init 容器会收到 SIGTERM 并享有宽限期。'),
    text(
      'The app’s container still has the state waiting when the pod is gone: it was never created.',
      'Pod 消失时应用容器仍在等待：它从未存在过。',
    ),
  ],
  manifest: podManifest(
    'delete-while-initializing',
    `
terminationGracePeriodSeconds: 5
initContainers:
  - name: prepare
    image: busybox:1.36
    command: [sh, -c, 'trap "echo interrupted; exit 1" TERM; while true; do sleep 1; done']
containers:
  - name: app
    image: busybox:1.36
    command: [sleep, '3600']
`,
  ),
  acts: [{ at: 6, do: 'deletePod', pod: 'delete-while-initializing' }],
  duration: 25,
  profiles: bothProfiles,
  differs: removal,
  docker: {
    phase: 'gone',
    before: [{ containers: [{ name: 'prepare' }] }],
    containers: [{ name: 'prepare', reason: 'Error', exitCode: 1 }],
    events: [event('Killing', 'Stopping container prepare', 'prepare')],
    noEvents: [event('Started', '', 'app')],
  },
};
