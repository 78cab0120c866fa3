/** Scenario: the command doesn't exist in the image. */
import type { Scenario } from '../../scenario.ts';
import { bothProfiles, event, podManifest, text } from '../authoring.ts';
import { moreSyncs } from '../differences.ts';

export const badCommand: Scenario = {
  id: 'bad-command',
  category: 'commands',
  title: text('Command not found', '命令不存在'),
  summary: text(
    'The image doesn’t contain the program. The container is created, but its process can’t be started.',
    '镜像里没有这个程序：容器被创建了，但它的进程无法启动。',
  ),
  notice: [
    text(
      'RunContainerError: CreateContainer succeeded, StartContainer failed.',
      'RunContainerError：CreateContainer 成功，StartContainer 失败。',
    ),
    text(
      'The container counts as exited, so the next start is a restart. Back-off and restart count grow as ' +
        'after a crash.',
      '这个容器算作已退出，因此下一次启动就是重启：回退和重启次数像崩溃一样增长。',
    ),
    text(
      'The message is the OCI runtime’s: “executable file not found in $PATH”.',
      '消息来自 OCI 运行时：“executable file not found in $PATH”。',
    ),
  ],
  manifest: podManifest(
    'bad-command',
    `
containers:
  - name: app
    image: busybox:1.36
    command: [no-such-program, --serve]
`,
  ),
  duration: 60,
  profiles: bothProfiles,
  differs: moreSyncs,
  docker: {
    phase: 'Running',
    containers: [{ name: 'app', reason: 'CrashLoopBackOff', restarts: 1, exitCode: 127 }],
    events: [event('Failed', 'not found in $PATH', 'app')],
    noEvents: [event('Started')],
  },
};
