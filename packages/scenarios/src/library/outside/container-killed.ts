/** Scenario: `docker kill` kills a container without the kubelet's knowledge. */
import type { Scenario } from '../../scenario.ts';
import { bothProfiles, event, podManifest, text } from '../authoring.ts';
import { onlyLater } from '../differences.ts';

export const containerKilled: Scenario = {
  id: 'container-killed',
  category: 'outside',
  title: text('Container killed by hand', '手动杀死容器'),
  summary: text(
    'A program other than the kubelet kills the container. The PLEG finds that it has exited, and the ' +
      'kubelet starts it again.',
    '有人绕过 kubelet 杀死了容器。PLEG 发现它已退出，于是重新启动。',
  ),
  notice: [
    text(
      'The PLEG detects the exit at its next relist, up to a second later. Nothing reports it earlier.',
      'PLEG 在下一次 relist 时发现容器已退出，最多晚一秒。此前没有任何通知。',
    ),
    text(
      'The sandbox doesn’t change: the address stays, and only one container is started.',
      '沙箱不受影响：地址不变，只启动一个容器。',
    ),
    text(
      'Exit code 137 without OOMKilled: a SIGKILL from outside.',
      '退出码 137 而没有 OOMKilled：来自外部的 SIGKILL。',
    ),
  ],
  manifest: podManifest(
    'container-killed',
    `
containers:
  - name: app
    image: busybox:1.36
    command: [sleep, '3600']
  - name: neighbour
    image: busybox:1.36
    command: [sleep, '3600']
`,
  ),
  acts: [
    { at: 8, do: 'killContainer', pod: 'container-killed', container: 'app' },
    { at: 14, do: 'killContainer', pod: 'container-killed', container: 'app' },
  ],
  duration: 40,
  profiles: bothProfiles,
  differs: onlyLater,
  docker: {
    phase: 'Running',
    // A busy machine may miss the back-off of ten seconds.
    containers: [
      { name: 'app', restarts: 2, exitCode: 137, ready: true },
      { name: 'neighbour', ready: true },
    ],
    before: [
      { containers: [{ name: 'app' }, { name: 'neighbour' }] },
      { containers: [{ name: 'app', restarts: 1, exitCode: 137, ready: true }] },
    ],
    noEvents: [event('Killing')],
  },
};
