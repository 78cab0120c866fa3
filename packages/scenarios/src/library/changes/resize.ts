/** Scenario: CPU and memory are resized in place. */
import type { Scenario } from '../../scenario.ts';
import { event, newestProfile, podManifest, text } from '../authoring.ts';

export const resize: Scenario = {
  id: 'resize',
  category: 'changes',
  title: text('Resize in place', '原地调整资源'),
  summary: text(
    'CPU and memory of a running container are raised without a restart. Then memory is raised in a ' +
      'container whose resize policy requires a restart.',
    '提高运行中容器的 CPU 和内存：无需重启。然后再次调整另一个要求为此重启的容器的内存。',
  ),
  notice: [
    text(
      'First the kubelet admits the resize. The granted values are in allocatedResources.',
      'kubelet 首先接纳调整：它分配的资源写在 allocatedResources 里。',
    ),
    text(
      'UpdateContainerResources changes the cgroup; the status follows when the runtime reports it.',
      'UpdateContainerResources 修改 cgroup；运行时报告之后状态才跟上。',
    ),
    text(
      'With resizePolicy RestartContainer for memory, the second container is stopped and started again.',
      '内存的 resizePolicy 为 RestartContainer：第二个容器被停止并重新启动。',
    ),
  ],
  manifest: podManifest(
    'resize',
    `
terminationGracePeriodSeconds: 2
containers:
  - name: app
    image: busybox:1.36
    command: [sleep, '3600']
    resources:
      requests: { cpu: 100m, memory: 64Mi }
      limits: { cpu: 200m, memory: 128Mi }
  - name: cache
    image: busybox:1.36
    command: [sh, -c, 'trap "exit 0" TERM; while true; do sleep 1; done']
    resizePolicy:
      - { resourceName: memory, restartPolicy: RestartContainer }
    resources:
      requests: { cpu: 100m, memory: 64Mi }
      limits: { cpu: 200m, memory: 128Mi }
`,
  ),
  acts: [
    {
      at: 8,
      do: 'resize',
      pod: 'resize',
      container: 'app',
      resources: { requests: { cpu: '200m', memory: '96Mi' }, limits: { cpu: '400m', memory: '192Mi' } },
    },
    {
      at: 18,
      do: 'resize',
      pod: 'resize',
      container: 'cache',
      resources: { requests: { cpu: '100m', memory: '96Mi' }, limits: { cpu: '200m', memory: '192Mi' } },
    },
  ],
  duration: 40,
  profiles: newestProfile,
  docker: {
    phase: 'Running',
    containers: [
      { name: 'app', memoryLimit: '192Mi', ready: true },
      { name: 'cache', memoryLimit: '192Mi', restarts: 1, exitCode: 0, ready: true },
    ],
    before: [
      { containers: [{ name: 'app' }, { name: 'cache' }] },
      { containers: [{ name: 'app', memoryLimit: '192Mi' }] },
    ],
    events: [event('Killing', 'Container cache resize requires restart', 'cache'), event('ResizeCompleted')],
    noEvents: [event('Killing', '', 'app')],
  },
};
