/** Scenario: the startup probe of a sidecar never succeeds, which blocks the pod. */
import type { Scenario } from '../../scenario.ts';
import { event, line, newestProfile, podManifest, text } from '../authoring.ts';

export const sidecarNeverStarts: Scenario = {
  id: 'sidecar-never-starts',
  category: 'init',
  title: text('Sidecar that never starts', '始终无法启动的边车'),
  summary: text(
    'The sidecar’s startup probe keeps failing. The sidecar is killed and restarted, and the app after ' +
      'it never starts.',
    '边车的启动探针一直失败：它被杀死并重启，而后面的应用始终轮不到。',
  ),
  notice: [
    text(
      'The pod is Pending although a container runs, because initialization isn’t complete.',
      '虽然有一个容器在运行，Pod 仍是 Pending：初始化还没有结束。',
    ),
    text(
      'A failed startup probe kills the container. After that the back-off applies, as after a crash.',
      '启动探针失败会杀死容器；之后由回退决定，如同崩溃。',
    ),
  ],
  manifest: podManifest(
    'sidecar-never-starts',
    `
terminationGracePeriodSeconds: 2
initContainers:
  - name: proxy
    image: busybox:1.36
    restartPolicy: Always
    command: [sh, -c, 'echo waiting for certificates; trap "exit 0" TERM; while true; do sleep 1; done']
    startupProbe:
      exec: { command: [test, -f, /tmp/certificates] }
      periodSeconds: 2
      failureThreshold: 3
containers:
  - name: app
    image: busybox:1.36
    command: [sleep, '3600']
`,
  ),
  duration: 50,
  profiles: newestProfile,
  docker: {
    phase: 'Pending',
    containers: [
      { name: 'proxy', restarts: 1 },
      { name: 'app', reason: 'PodInitializing' },
    ],
    events: [
      event('Unhealthy', 'Startup probe failed', 'proxy'),
      event('Killing', 'Init container proxy failed startup probe', 'proxy'),
    ],
    noEvents: [event('Started', '', 'app')],
    logs: [line('proxy', 'waiting for certificates')],
  },
};
