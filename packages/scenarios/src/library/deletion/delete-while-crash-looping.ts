/** Scenario: a pod is deleted during a back-off. */
import type { Scenario } from '../../scenario.ts';
import { bothProfiles, event, podManifest, text } from '../authoring.ts';
import { removal } from '../differences.ts';

export const deleteWhileCrashLooping: Scenario = {
  id: 'delete-while-crash-looping',
  category: 'deletion',
  title: text('Deleted while crash looping', '崩溃循环时删除'),
  summary: text(
    'The pod is deleted while its container waits for the end of a back-off. No process runs, so the ' +
      'deletion doesn’t wait.',
    '在容器等待回退期间删除 Pod：没有任何东西在运行，也就无需等待。',
  ),
  notice: [
    text(
      'The grace period of 30 seconds isn’t used, because no process has to stop.',
      '30 秒宽限期没有用上：它是给进程的，而这里没有进程。',
    ),
    text('The sandbox still runs and has to be stopped.', '沙箱仍在运行，需要停止。'),
  ],
  manifest: podManifest(
    'delete-while-crash-looping',
    `
containers:
  - name: app
    image: busybox:1.36
    command: [sh, -c, 'sleep 1; exit 1']
`,
  ),
  acts: [{ at: 8, do: 'deletePod', pod: 'delete-while-crash-looping' }],
  duration: 25,
  profiles: bothProfiles,
  differs: removal,
  docker: {
    phase: 'gone',
    before: [{ containers: [{ name: 'app', reason: 'CrashLoopBackOff', restarts: 1 }] }],
    containers: [{ name: 'app', restarts: 1, exitCode: 1 }],
    events: [event('BackOff', 'Back-off restarting failed container', 'app')],
  },
};
