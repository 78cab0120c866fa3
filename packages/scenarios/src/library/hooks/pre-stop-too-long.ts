/** Scenario: a preStop hook takes longer than the grace period. */
import type { Scenario } from '../../scenario.ts';
import { appRuns, bothProfiles, event, podManifest, text } from '../authoring.ts';
import { removal } from '../differences.ts';

export const preStopTooLong: Scenario = {
  id: 'pre-stop-too-long',
  category: 'hooks',
  title: text('preStop longer than the grace period', 'preStop 超过宽限期'),
  summary: text(
    'The preStop hook needs 60 seconds, but the grace period is 10. After the grace period the container ' +
      'gets two more seconds.',
    'preStop 钩子需要 60 秒，而宽限期只有 10 秒。时间一到，容器只再得到两秒。',
  ),
  notice: [
    text(
      'Hook and stop share one grace period: the process gets only the time that the hook leaves.',
      '钩子和停止共用一个宽限期：钩子用掉的时间，进程就没有了。',
    ),
    text(
      'The process always gets at least two seconds between SIGTERM and SIGKILL.',
      '始终至少为 SIGTERM 保留两秒，然后是 SIGKILL。',
    ),
    text(
      'SIGTERM is sent after the hook, so the process doesn’t know about the deletion before that.',
      'SIGTERM 在钩子之后才到来：进程此前并不知道要结束。',
    ),
  ],
  manifest: podManifest(
    'pre-stop-too-long',
    `
terminationGracePeriodSeconds: 10
containers:
  - name: app
    image: busybox:1.36
    command: [sh, -c, 'trap "echo bye; exit 0" TERM; while true; do sleep 1; done']
    lifecycle:
      preStop:
        exec: { command: [sleep, '60'] }
`,
  ),
  acts: [{ at: 10, do: 'deletePod', pod: 'pre-stop-too-long' }],
  duration: 35,
  profiles: bothProfiles,
  differs: removal,
  docker: {
    phase: 'gone',
    before: [appRuns],
    // The hook leaves two seconds, in which the container can't always end on a busy machine.
    events: [
      event('Killing', 'Stopping container app', 'app'),
      event('FailedPreStopHook', 'PreStopHook failed', 'app'),
    ],
    inV120: {
      events: [
        event('Killing', 'Stopping container app', 'app'),
        event('FailedPreStopHook', 'Exec lifecycle hook ([sleep 60]) for Container "app"', 'app'),
      ],
    },
  },
};
