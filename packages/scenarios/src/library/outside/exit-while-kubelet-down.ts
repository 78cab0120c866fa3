/** Scenario: a container fails while the kubelet isn't running. */
import type { Scenario } from '../../scenario.ts';
import { bothProfiles, event, podManifest, text } from '../authoring.ts';
import { onlyLater } from '../differences.ts';

export const exitWhileKubeletDown: Scenario = {
  id: 'exit-while-kubelet-down',
  category: 'outside',
  title: text('Exit while the kubelet is down', 'kubelet 停机期间容器退出'),
  summary: text(
    'The container fails while the kubelet is down. The restarted kubelet reads the exit from the ' +
      'runtime and restarts the container.',
    '容器在无人看管时失败。恢复后的 kubelet 从运行时得知此事，并重启容器。',
  ),
  notice: [
    text(
      'While the kubelet is down, the status stays Running, because only the kubelet updates it.',
      'kubelet 停机期间，状态仍是 Running：没有谁来更新它。',
    ),
    text(
      'The runtime keeps exited containers with their exit codes and times, so nothing is lost.',
      '运行时保留已退出的容器，连同退出码和时间：因此什么都没有丢失。',
    ),
  ],
  manifest: podManifest(
    'exit-while-kubelet-down',
    `
containers:
  - name: app
    image: busybox:1.36
    command: [sh, -c, 'sleep 15; exit 3']
`,
  ),
  acts: [{ at: 10, do: 'restartKubelet', downFor: 20 }],
  duration: 45,
  profiles: bothProfiles,
  differs: onlyLater,
  docker: {
    phase: 'Running',
    // On a busy machine the container may already run again.
    before: [{ phase: 'Running' }],
    containers: [{ name: 'app', restarts: 1, exitCode: 3, ready: true, ended: 'Error' }],
    noEvents: [event('Killing')],
  },
};
