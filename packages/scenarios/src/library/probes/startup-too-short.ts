/** Scenario: a startup probe gives up before the program has started. */
import type { Scenario } from '../../scenario.ts';
import { bothProfiles, event, line, podManifest, text } from '../authoring.ts';

export const startupTooShort: Scenario = {
  id: 'startup-too-short',
  category: 'probes',
  title: text('Startup probe too short', '启动探针时间太短'),
  summary: text(
    'The program needs 20 seconds to start, but the startup probe allows only 9. The container is killed ' +
      'each time before it is ready.',
    '程序需要 20 秒启动，而启动探针只允许 9 秒：每次都在就绪之前被杀死。',
  ),
  notice: [
    text(
      'The allowed time is failureThreshold × periodSeconds, here 3 × 3 s.',
      'failureThreshold × periodSeconds 就是它的全部时间；这里是 3 × 3 秒。',
    ),
    text(
      'Until the startup probe succeeds, liveness and readiness probes don’t run.',
      '在启动探针成功之前，不会执行存活和就绪探针。',
    ),
    text(
      'The log shows a healthy program that is still starting: the kubelet ends it.',
      '日志显示一个正在正常启动的程序：是 kubelet 结束了它。',
    ),
  ],
  manifest: podManifest(
    'startup-too-short',
    `
terminationGracePeriodSeconds: 2
containers:
  - name: app
    image: busybox:1.36
    command: [sh, -c, 'trap "exit 0" TERM; for i in $(seq 1 20); do echo loading $i of 20; sleep 1; done;
      touch /tmp/ready; while true; do sleep 1; done']
    startupProbe:
      exec: { command: [test, -f, /tmp/ready] }
      periodSeconds: 3
      failureThreshold: 3
`,
  ),
  duration: 100,
  profiles: bothProfiles,
  differs: text(
    'v1.36 restarts the container as soon as the probe has failed. v1.20 acts only when something else ' +
      'causes a sync of the pod, often a minute later.',
    'v1.36 在探针失败后立即重启容器。v1.20 此时什么也不做：要等其他原因引起 Pod 同步才处理，往往在一分钟之后。',
  ),
  docker: {
    phase: 'Running',
    containers: [{ name: 'app', restarts: 1, exitCode: 0 }],
    events: [
      event('Unhealthy', 'Startup probe failed', 'app', 3),
      event('Killing', 'Container app failed startup probe, will be restarted', 'app'),
    ],
    logs: [line('app', 'loading 1 of 20')],
    inV120: {},
  },
};
