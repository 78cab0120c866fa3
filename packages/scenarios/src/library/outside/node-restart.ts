/** Scenario: the node restarts. */
import type { Scenario } from '../../scenario.ts';
import { appRuns, bothProfiles, event, line, podManifest, text } from '../authoring.ts';
import { initStep } from '../differences.ts';

export const nodeRestart: Scenario = {
  id: 'node-restart',
  category: 'outside',
  title: text('Node restart', '节点重启'),
  summary: text(
    'The machine loses power and restarts. No process runs, and sandboxes and containers exist but have exited.',
    '机器断电后恢复：所有进程都没了，沙箱和容器还在，但都已退出。',
  ),
  notice: [
    text(
      'The pod is the same, with the same UID. Its sandbox is new, with attempt 1 and another address.',
      'Pod 还是同一个，UID 不变；沙箱是新的，attempt 为 1，地址也变了。',
    ),
    text(
      'The engine reports exit code 255 for a process whose exit it didn’t see.',
      '退出码 255 是引擎对它没有看到结束的进程的说法。',
    ),
    text(
      'Init containers run again, because the data that they prepared may be lost with the sandbox.',
      'Init 容器会再次运行：它们准备的东西可能随沙箱丢失。',
    ),
  ],
  manifest: podManifest(
    'node-restart',
    `
initContainers:
  - name: prepare
    image: busybox:1.36
    command: [sh, -c, 'echo preparing; sleep 1']
containers:
  - name: app
    image: busybox:1.36
    command: [sleep, '3600']
`,
  ),
  acts: [{ at: 12, do: 'restartNode', downFor: 5 }],
  duration: 40,
  profiles: bothProfiles,
  differs: initStep,
  docker: {
    phase: 'Running',
    containers: [
      { name: 'prepare', reason: 'Completed', restarts: 1 },
      { name: 'app', restarts: 1, ready: true },
    ],
    before: [appRuns],
    events: [event('SandboxChanged', 'Pod sandbox changed, it will be killed and re-created')],
    logs: [line('prepare', 'preparing')],
    inV120: {},
  },
};
