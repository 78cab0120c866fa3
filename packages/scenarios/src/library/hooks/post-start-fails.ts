/** Scenario: a failing postStart hook kills its container. */
import type { Scenario } from '../../scenario.ts';
import { bothProfiles, event, podManifest, text } from '../authoring.ts';

export const postStartFails: Scenario = {
  id: 'post-start-fails',
  category: 'hooks',
  title: text('postStart fails', 'postStart 失败'),
  summary: text(
    'The hook that runs after the start exits with code 1, so the kubelet kills its container.',
    '启动后运行的钩子以 1 结束：kubelet 会杀死它所属的容器。',
  ),
  notice: [
    text(
      'The container was running. It is stopped with its grace period, then restarted with back-off.',
      '容器本来在运行：它按宽限期被停止，然后带回退地重启。',
    ),
    text('The next container isn’t started before the hook has finished.', '在钩子结束之前不会启动下一个容器。'),
    text('The hook’s output is not in the container’s log.', '钩子的输出不在容器日志里。'),
  ],
  manifest: podManifest(
    'post-start-fails',
    `
terminationGracePeriodSeconds: 2
containers:
  - name: app
    image: busybox:1.36
    command: [sh, -c, 'trap "exit 0" TERM; while true; do sleep 1; done']
    lifecycle:
      postStart:
        exec: { command: [sh, -c, 'sleep 1; echo cannot register; exit 1'] }
`,
  ),
  duration: 45,
  profiles: bothProfiles,
  differs: text(
    'v1.20 puts the hook’s output into the event; v1.36 only says “PostStartHook failed”.',
    'v1.20 会把钩子的输出写进事件；v1.36 只说 “PostStartHook failed”。',
  ),
  docker: {
    phase: 'Running',
    containers: [{ name: 'app', reason: 'CrashLoopBackOff', restarts: 1 }],
    events: [
      event('FailedPostStartHook', 'PostStartHook failed', 'app'),
      event('Killing', 'FailedPostStartHook', 'app'),
    ],
    inV120: {
      events: [
        event('FailedPostStartHook', 'for Container "app" in Pod', 'app'),
        event('Killing', 'FailedPostStartHook', 'app'),
      ],
    },
  },
};
