/** Scenario: a process ignores SIGTERM. */
import type { Scenario } from '../../scenario.ts';
import { bothProfiles, event, podManifest, text } from '../authoring.ts';
import { removal } from '../differences.ts';

export const ignoringSigterm: Scenario = {
  id: 'ignoring-sigterm',
  category: 'hooks',
  title: text('Ignoring SIGTERM', '忽略 SIGTERM'),
  summary: text(
    'The process ignores SIGTERM. The whole grace period passes, then it is killed. The other container ' +
      'exits at once.',
    '进程不理会 SIGTERM：整个宽限期过去后才被杀死。它的邻居立即服从。',
  ),
  notice: [
    text(
      'Exit code 137 here means SIGKILL after the grace period, not memory.',
      '这里的退出码 137 表示宽限期后的 SIGKILL，而不是内存问题。',
    ),
    text(
      'A shell that runs as process 1 behaves like this: it has no handler, and the kernel ignores ' +
        'unhandled signals for process 1.',
      '作为 1 号进程的 shell 就是这样：它没有处理函数，而 1 号进程会忽略未处理的信号。',
    ),
    text(
      'The pod ends when its slowest container ends. Both containers are stopped at the same time.',
      'Pod 的结束取决于最慢的容器：两个容器同时被停止。',
    ),
  ],
  manifest: podManifest(
    'ignoring-sigterm',
    `
terminationGracePeriodSeconds: 10
containers:
  - name: stubborn
    image: busybox:1.36
    command: [sh, -c, 'sleep 3600']
  - name: obedient
    image: busybox:1.36
    command: [sh, -c, 'trap "exit 0" TERM; while true; do sleep 1; done']
`,
  ),
  acts: [{ at: 8, do: 'deletePod', pod: 'ignoring-sigterm' }],
  duration: 30,
  profiles: bothProfiles,
  differs: removal,
  docker: {
    phase: 'gone',
    before: [{ containers: [{ name: 'stubborn' }, { name: 'obedient' }] }],
    containers: [
      { name: 'stubborn', reason: 'Error', exitCode: 137 },
      { name: 'obedient', reason: 'Completed', exitCode: 0 },
    ],
    events: [
      event('Killing', 'Stopping container stubborn', 'stubborn'),
      event('Killing', 'Stopping container obedient', 'obedient'),
    ],
  },
};
