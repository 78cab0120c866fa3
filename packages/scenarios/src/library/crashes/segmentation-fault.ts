/** Scenario: a child process is killed by a signal, exit code 139. */
import type { Scenario } from '../../scenario.ts';
import { bothProfiles, event, podManifest, text } from '../authoring.ts';
import { moreSyncs } from '../differences.ts';

export const segmentationFault: Scenario = {
  id: 'segmentation-fault',
  category: 'crashes',
  title: text('Segmentation fault', '段错误'),
  summary: text(
    'SIGSEGV kills the program: exit code 139, which is 128 + 11.',
    '程序死于 SIGSEGV：退出码 139，即 128 + 11。',
  ),
  notice: [
    text(
      'Codes above 128 are signals: 137 is 9 (KILL), 139 is 11 (SEGV), 143 is 15 (TERM).',
      '大于 128 的退出码是信号：137 是 9 (KILL)，139 是 11 (SEGV)，143 是 15 (TERM)。',
    ),
    text(
      'The kubelet doesn’t interpret the code. Restart and back-off are those of any failure.',
      'kubelet 不会从退出码得出结论；重启和回退与任何失败相同。',
    ),
  ],
  manifest: podManifest(
    'segmentation-fault',
    `
containers:
  - name: app
    image: busybox:1.36
    command: [sh, -c, 'sleep 60 & sleep 1; kill -SEGV $!; wait $!; exit $?']
`,
  ),
  duration: 40,
  profiles: bothProfiles,
  differs: moreSyncs,
  docker: {
    phase: 'Running',
    containers: [{ name: 'app', reason: 'CrashLoopBackOff', restarts: 1, exitCode: 139, ended: 'Error' }],
    events: [event('BackOff', 'Back-off restarting failed container', 'app')],
  },
};
