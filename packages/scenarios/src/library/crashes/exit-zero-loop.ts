/** Scenario: a container exits with code 0 and is restarted anyway. */
import type { Scenario } from '../../scenario.ts';
import { bothProfiles, event, line, podManifest, text } from '../authoring.ts';
import { moreSyncs } from '../differences.ts';

export const exitZeroLoop: Scenario = {
  id: 'exit-zero-loop',
  category: 'crashes',
  title: text('Exit 0 in a loop', '以 0 退出的循环'),
  summary: text(
    'The process does its work and exits with code 0. With restartPolicy Always it is started again ' +
      'anyway, with back-off.',
    '进程完成工作并以 0 退出。在 restartPolicy Always 下这不算成功：它会被再次启动，并且有回退。',
  ),
  notice: [
    text(
      'The reason of the last state is Completed, but the waiting reason is CrashLoopBackOff.',
      '上一个状态的原因是 Completed，而等待仍然叫做 CrashLoopBackOff。',
    ),
    text(
      'Fix the pod, not the program: use restartPolicy OnFailure, or a process that stays in the foreground.',
      '解决办法在 Pod 里而不在程序里：使用 restartPolicy OnFailure，或让进程保持在前台。',
    ),
  ],
  manifest: podManifest(
    'exit-zero-loop',
    `
containers:
  - name: app
    image: busybox:1.36
    command: [sh, -c, 'echo done; sleep 1; exit 0']
`,
  ),
  duration: 60,
  profiles: bothProfiles,
  differs: moreSyncs,
  docker: {
    phase: 'Running',
    containers: [{ name: 'app', reason: 'CrashLoopBackOff', restarts: 1, exitCode: 0, ended: 'Completed' }],
    events: [event('BackOff', 'Back-off restarting failed container', 'app')],
    logs: [line('app', 'done')],
    inV120: {},
  },
};
