/** Scenario: an init container fails with restartPolicy Never, so the pod fails. */
import type { Scenario } from '../../scenario.ts';
import { bothProfiles, event, line, podManifest, text } from '../authoring.ts';
import { initStep } from '../differences.ts';

export const initFailsNever: Scenario = {
  id: 'init-fails-never',
  category: 'init',
  title: text('Failing init container: Never', 'Init 容器失败：Never'),
  summary: text(
    'With restartPolicy Never, one failure of an init container makes the pod Failed. Its app never starts.',
    '在 restartPolicy Never 下，Init 容器的一次失败就是 Pod 的终点：应用永远不会启动。',
  ),
  notice: [
    text(
      'The phase changes from Pending to Failed and was never Running.',
      'phase 从 Pending 直接到 Failed；从未 Running。',
    ),
    text(
      'The app’s container still waits with PodInitializing, because it was never created.',
      '应用容器仍以 PodInitializing 等待：没有开始，也就没有结束。',
    ),
  ],
  manifest: podManifest(
    'init-fails-never',
    `
restartPolicy: Never
initContainers:
  - name: migrate
    image: busybox:1.36
    command: [sh, -c, 'echo migrating; sleep 1; exit 3']
containers:
  - name: app
    image: busybox:1.36
    command: [sleep, '3600']
`,
  ),
  duration: 20,
  profiles: bothProfiles,
  differs: initStep,
  docker: {
    phase: 'Failed',
    containers: [{ name: 'migrate', reason: 'Error', exitCode: 3 }],
    conditions: [{ type: 'Initialized', status: 'False' }],
    noEvents: [event('BackOff'), event('Started', '', 'app')],
    logs: [line('migrate', 'migrating')],
  },
};
