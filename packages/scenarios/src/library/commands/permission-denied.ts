/** Scenario: a non-root process writes to a directory that only root may write to. */
import type { Scenario } from '../../scenario.ts';
import { bothProfiles, line, podManifest, text } from '../authoring.ts';
import { moreSyncs } from '../differences.ts';

export const permissionDenied: Scenario = {
  id: 'permission-denied',
  category: 'commands',
  title: text('Permission denied', '权限不足'),
  summary: text(
    'The process runs as user 1000 and tries to write to a directory that belongs to root. It starts, ' +
      'prints an error and exits.',
    '进程以用户 1000 运行，想写入 root 的目录：它启动、报错、结束。',
  ),
  notice: [
    text(
      'To the kubelet this is a crash like any other. Only the log shows the reason.',
      '对 kubelet 来说这与其他崩溃没有区别；只有日志说明原因。',
    ),
    text(
      'terminationMessagePolicy FallbackToLogsOnError copies the last lines of the log into the status.',
      'terminationMessagePolicy 设为 FallbackToLogsOnError 会把日志的最后几行放进状态里。',
    ),
  ],
  manifest: podManifest(
    'permission-denied',
    `
securityContext:
  runAsUser: 1000
containers:
  - name: app
    image: busybox:1.36
    command: [sh, -c, 'sleep 1; echo started > /etc/app.pid || exit 2; exec sleep 3600']
    terminationMessagePolicy: FallbackToLogsOnError
`,
  ),
  duration: 40,
  profiles: bothProfiles,
  differs: moreSyncs,
  docker: {
    phase: 'Running',
    containers: [{ name: 'app', reason: 'CrashLoopBackOff', restarts: 1, exitCode: 2, ended: 'Error' }],
    logs: [line('app', '/etc/app.pid: Permission denied')],
  },
};
