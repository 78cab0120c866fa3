/** Scenario: an init container fails with restartPolicy Always. */
import type { Scenario } from '../../scenario.ts';
import { bothProfiles, event, line, podManifest, text } from '../authoring.ts';
import { initStep } from '../differences.ts';

export const initFailsAlways: Scenario = {
  id: 'init-fails-always',
  category: 'init',
  title: text('Failing init container: Always', 'Init 容器失败：Always'),
  summary: text(
    'The init container fails. With restartPolicy Always it is retried forever, with back-off.',
    'Init 容器失败；在 restartPolicy Always 下会带回退地永远重试。',
  ),
  notice: [
    text(
      'kubectl shows Init:CrashLoopBackOff; the app’s container waits with PodInitializing.',
      'kubectl 显示 Init:CrashLoopBackOff；应用容器以 PodInitializing 等待。',
    ),
    text(
      'For init containers, Always means “until it succeeds”. After a success it isn’t run again.',
      '对 Init 容器来说 Always 的意思是：直到成功。成功之后不会再次运行。',
    ),
  ],
  manifest: podManifest(
    'init-fails-always',
    `
initContainers:
  - name: migrate
    image: busybox:1.36
    command: [sh, -c, 'echo migrating; sleep 1; exit 1']
containers:
  - name: app
    image: busybox:1.36
    command: [sleep, '3600']
`,
  ),
  duration: 45,
  profiles: bothProfiles,
  differs: initStep,
  docker: {
    phase: 'Pending',
    containers: [
      { name: 'migrate', reason: 'CrashLoopBackOff', restarts: 1, exitCode: 1 },
      { name: 'app', reason: 'PodInitializing' },
    ],
    conditions: [{ type: 'Initialized', status: 'False', reason: 'ContainersNotInitialized' }],
    events: [event('BackOff', 'Back-off restarting failed container', 'migrate')],
    noEvents: [event('Started', '', 'app')],
    logs: [line('migrate', 'migrating')],
    inV120: {},
  },
};
