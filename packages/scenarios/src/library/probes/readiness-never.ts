/** Scenario: a container runs but is never ready. */
import type { Scenario } from '../../scenario.ts';
import { bothProfiles, event, line, podManifest, text } from '../authoring.ts';
import { onlyLater } from '../differences.ts';

export const readinessNever: Scenario = {
  id: 'readiness-never',
  category: 'probes',
  title: text('Never ready', '始终未就绪'),
  summary: text(
    'The container runs, but its readiness probe uses a port on which no process listens.',
    '容器在运行，但就绪探针访问的端口没有人监听。',
  ),
  notice: [
    text(
      'Nothing is restarted: readiness only decides whether the pod gets traffic.',
      '不会重启任何东西：就绪只决定 Pod 是否接收流量。',
    ),
    text(
      'The phase is Running; the condition Ready is False with the reason ContainersNotReady.',
      'phase 是 Running，Ready 状况为 False，原因是 ContainersNotReady。',
    ),
    text(
      'Each failed probe emits an event Unhealthy. Repeated events increase the count of one event.',
      '每次失败的探测是一个 Unhealthy 事件，累计次数而不是重复出现。',
    ),
  ],
  manifest: podManifest(
    'readiness-never',
    `
containers:
  - name: app
    image: busybox:1.36
    command: [sh, -c, 'echo listening nowhere; exec sleep 3600']
    readinessProbe:
      httpGet: { port: 8080, path: /ready }
      periodSeconds: 5
`,
  ),
  duration: 30,
  profiles: bothProfiles,
  differs: onlyLater,
  docker: {
    phase: 'Running',
    containers: [{ name: 'app', ready: false }],
    conditions: [
      { type: 'Ready', status: 'False', reason: 'ContainersNotReady' },
      { type: 'Initialized', status: 'True' },
    ],
    events: [event('Unhealthy', 'Readiness probe failed: Get "http://', 'app', 2)],
    noEvents: [event('Killing')],
    logs: [line('app', 'listening nowhere')],
  },
};
