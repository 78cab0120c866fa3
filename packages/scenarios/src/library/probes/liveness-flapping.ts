/** Scenario: a container becomes unhealthy repeatedly, and the liveness probe restarts it each time. */
import type { Scenario } from '../../scenario.ts';
import { bothProfiles, event, podManifest, text } from '../authoring.ts';
import { onlyLater } from '../differences.ts';

export const livenessFlapping: Scenario = {
  id: 'liveness-flapping',
  category: 'probes',
  title: text('Liveness flapping', '存活探针反复失败'),
  summary: text(
    'After ten healthy seconds the program stops answering. The liveness probe fails, the kubelet ' +
      'restarts the container, and the cycle repeats.',
    '健康运行十秒后程序停止响应。存活探针发现后 kubelet 重启它，然后一切重新开始。',
  ),
  notice: [
    text(
      'Three failures in a row are needed: the third one makes the kubelet kill the container.',
      '需要连续失败三次：容器在第三次失败时被杀死，而不是第一次。',
    ),
    text(
      'The exit code is the program’s reaction to SIGTERM. The event Killing shows that the probe was the cause.',
      '退出码是程序对 SIGTERM 的回应；原因是探针这一点写在 Killing 事件里。',
    ),
    text('Restarts by the probe increase the back-off like crashes.', '由探针引起的重启与崩溃一样计入回退。'),
  ],
  manifest: podManifest(
    'liveness-flapping',
    `
terminationGracePeriodSeconds: 3
containers:
  - name: app
    image: busybox:1.36
    command: [sh, -c, 'trap "exit 0" TERM; touch /tmp/healthy; sleep 10; rm /tmp/healthy; while true; do sleep 1; done']
    livenessProbe:
      exec: { command: [cat, /tmp/healthy] }
      periodSeconds: 2
      failureThreshold: 3
`,
  ),
  duration: 75,
  profiles: bothProfiles,
  differs: onlyLater,
  docker: {
    phase: 'Running',
    containers: [{ name: 'app', restarts: 1, exitCode: 0, ready: true }],
    events: [
      event('Unhealthy', "Liveness probe failed: cat: can't open '/tmp/healthy': No such file or directory", 'app', 3),
      event('Killing', 'Container app failed liveness probe, will be restarted', 'app'),
    ],
    inV120: {},
  },
};
