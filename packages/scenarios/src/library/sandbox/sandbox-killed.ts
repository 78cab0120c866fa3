/** Scenario: the pause process is killed, so the sandbox and all containers are created again. */
import type { Scenario } from '../../scenario.ts';
import { appRuns, bothProfiles, event, podManifest, text } from '../authoring.ts';
import { onlyLater } from '../differences.ts';

export const sandboxKilled: Scenario = {
  id: 'sandbox-killed',
  category: 'sandbox',
  title: text('Sandbox killed', '沙箱被杀死'),
  summary: text(
    'A program other than the kubelet kills the pause container. The pod’s network is lost, so the ' +
      'kubelet stops all containers and creates a new sandbox.',
    '有人杀死了 pause 容器。Pod 的网络随之丢失：kubelet 停止所有容器并创建新的沙箱。',
  ),
  notice: [
    text(
      'SyncPod decides that the sandbox isn’t ready, so the pod is killed and created again, with the ' +
        'event SandboxChanged.',
      'SyncPod 的决定：沙箱未就绪，因此杀死 Pod 并重建：事件 SandboxChanged。',
    ),
    text(
      'The new sandbox has attempt 1 and another address. The container’s restart count grows although the ' +
        'container didn’t fail.',
      '新沙箱的 attempt 为 1，地址也不同；容器没有做错什么，重启次数也会增加。',
    ),
    text(
      'The container starts without back-off, because it hadn’t failed by itself.',
      '它启动时没有回退：它在运行，并不是自己失败的。',
    ),
  ],
  manifest: podManifest(
    'sandbox-killed',
    `
terminationGracePeriodSeconds: 3
containers:
  - name: app
    image: busybox:1.36
    command: [sh, -c, 'trap "exit 0" TERM; while true; do sleep 1; done']
`,
  ),
  acts: [{ at: 10, do: 'stopSandbox', pod: 'sandbox-killed' }],
  duration: 35,
  profiles: bothProfiles,
  differs: onlyLater,
  docker: {
    phase: 'Running',
    before: [appRuns],
    containers: [{ name: 'app', restarts: 1, ready: true }],
    events: [event('SandboxChanged', 'Pod sandbox changed, it will be killed and re-created')],
  },
};
