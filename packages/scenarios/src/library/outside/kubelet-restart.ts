/** Scenario: only the kubelet restarts. */
import type { Scenario } from '../../scenario.ts';
import { bothProfiles, event, podManifest, text } from '../authoring.ts';
import { moreSyncs } from '../differences.ts';

export const kubeletRestart: Scenario = {
  id: 'kubelet-restart',
  category: 'outside',
  title: text('Kubelet restart', 'kubelet 重启'),
  summary: text(
    'The kubelet’s process ends while one container runs and the other waits for its back-off. Ten ' +
      'seconds later a new kubelet finds both.',
    '一个容器在运行、另一个在等待回退时，kubelet 进程结束。十秒后新的 kubelet 找到了它们。',
  ),
  notice: [
    text(
      'The running container doesn’t need the kubelet. The new kubelet finds it by its labels and starts nothing.',
      '正在运行的容器不受影响：它继续运行并不需要 kubelet。新的 kubelet 凭标签找到它，不会再启动什么。',
    ),
    text(
      'Back-offs are kept only in memory. After the restart, the failing container is started at once, and ' +
        'the next wait is ten seconds again.',
      '回退只保存在内存里。重启之后，失败的容器会立即启动，下一次等待又从十秒开始。',
    ),
    text(
      'Restart counts aren’t lost, because the labels of the containers contain them.',
      '重启次数没有丢失：它记录在容器的标签里。',
    ),
  ],
  manifest: podManifest(
    'kubelet-restart',
    `
containers:
  - name: steady
    image: busybox:1.36
    command: [sleep, '3600']
  - name: failing
    image: busybox:1.36
    command: [sh, -c, 'sleep 2; exit 1']
`,
  ),
  acts: [{ at: 50, do: 'restartKubelet', downFor: 10 }],
  duration: 90,
  profiles: bothProfiles,
  differs: moreSyncs,
  docker: {
    phase: 'Running',
    containers: [
      { name: 'steady', ready: true },
      { name: 'failing', restarts: 2, exitCode: 1 },
    ],
    before: [{ containers: [{ name: 'steady' }, { name: 'failing', reason: 'CrashLoopBackOff', restarts: 1 }] }],
    events: [event('BackOff', 'Back-off restarting failed container', 'failing')],
    noEvents: [event('Killing')],
  },
};
