/** Scenario: a container exits with an error again and again. */
import type { Scenario } from '../../scenario.ts';
import { bothProfiles, event, line, podManifest, text } from '../authoring.ts';

export const crashLoop: Scenario = {
  id: 'crash-loop',
  category: 'crashes',
  title: text('Crash loop', '崩溃循环'),
  summary: text(
    'The process exits with code 1 a few seconds after each start. The kubelet starts it again and waits ' +
      'longer each time.',
    '进程每次启动几秒后都以退出码 1 结束。kubelet 会重新启动它，并且每次等待的时间更长。',
  ),
  notice: [
    text(
      'The first restart is immediate. Then the waits are 10, 20, 40 … seconds, up to 300.',
      '第一次重启立即发生；之后的等待依次为 10、20、40……秒，最长 300 秒。',
    ),
    text(
      'The wait counts from the exit of the container, not from the moment at which the kubelet notices it.',
      '等待时间从容器结束的那一刻算起，而不是从被发现的那一刻算起。',
    ),
    text(
      'A sync in the middle of a wait has one SyncResult: StartContainer, CrashLoopBackOff.',
      '在等待期间进行的同步只有一个 SyncResult：StartContainer，CrashLoopBackOff。',
    ),
  ],
  manifest: podManifest(
    'crash-loop',
    `
containers:
  - name: app
    image: busybox:1.36
    command: [sh, -c, 'echo starting; sleep 2; echo "cannot reach the database" >&2; exit 1']
`,
  ),
  duration: 180,
  profiles: bothProfiles,
  differs: text(
    'The events of v1.36 name container and pod. Those of v1.20 only say “Back-off restarting failed ' +
      'container”. The waits are the same.',
    'v1.36 的事件写明容器和 Pod；v1.20 的事件只说 “Back-off restarting failed container”。等待时间相同。',
  ),
  docker: {
    phase: 'Running',
    containers: [
      {
        name: 'app',
        reason: 'CrashLoopBackOff',
        message: 'restarting failed container=app',
        restarts: 1,
        exitCode: 1,
        ended: 'Error',
      },
    ],
    events: [event('BackOff', 'Back-off restarting failed container app in pod crash-loop_default(', 'app')],
    logs: [line('app', 'cannot reach the database')],
    inV120: {
      events: [event('BackOff', 'Back-off restarting failed container', 'app')],
      noEvents: [event('BackOff', 'in pod')],
    },
  },
};
