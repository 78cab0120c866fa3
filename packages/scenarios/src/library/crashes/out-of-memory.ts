/** Scenario: a process uses more memory than its limit allows. */
import type { Scenario } from '../../scenario.ts';
import { bothProfiles, event, podManifest, text } from '../authoring.ts';
import { moreSyncs } from '../differences.ts';

export const outOfMemory: Scenario = {
  id: 'out-of-memory',
  category: 'crashes',
  title: text('Out of memory', '内存不足'),
  summary: text(
    'The process uses more memory than its limit. The kernel kills it with signal 9: exit code 137.',
    '进程占用的内存超过上限：内核用信号 9 结束它，退出码 137。',
  ),
  notice: [
    text(
      'Exit code 137 alone means any SIGKILL. The engine’s reason OOMKilled shows that memory was the cause.',
      '单独的 137 可以是任何 SIGKILL；OOMKilled 是引擎的说明，表示是内存原因。',
    ),
    text(
      'The kubelet isn’t involved: the limit is in the container’s cgroup, and the kernel enforces it.',
      '这与 kubelet 无关：上限在容器的 cgroup 中，由内核执行。',
    ),
    text(
      'The container restarts with the same limit. The loop ends only when the limit or the program changes.',
      '它会带着同样的上限回来：在上限或程序改变之前，循环不会停止。',
    ),
  ],
  manifest: podManifest(
    'out-of-memory',
    `
containers:
  - name: app
    image: busybox:1.36
    command: [sh, -c, 'echo loading; sleep 1; exec tail /dev/zero']
    resources:
      limits: { memory: 32Mi }
`,
  ),
  duration: 45,
  profiles: bothProfiles,
  differs: moreSyncs,
  docker: {
    phase: 'Running',
    containers: [{ name: 'app', reason: 'CrashLoopBackOff', restarts: 1, exitCode: 137, ended: 'OOMKilled' }],
    events: [event('BackOff', 'Back-off restarting failed container', 'app')],
  },
};
