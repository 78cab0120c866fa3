/** Scenario: a running pod is deleted. */
import type { Scenario } from '../../scenario.ts';
import { appRuns, bothProfiles, event, podManifest, text } from '../authoring.ts';

export const deleteWhileRunning: Scenario = {
  id: 'delete-while-running',
  category: 'deletion',
  title: text('Deleted while running', '运行时删除'),
  summary: text(
    'The usual deletion: SIGTERM, a clean exit, then the sandbox is stopped and the pod is removed.',
    '正常的结束：SIGTERM、优雅退出、停止沙箱、Pod 消失。',
  ),
  notice: [
    text(
      'A deletion has two parts: first the API server sets a deletionTimestamp; when nothing runs any ' +
        'more, the object is removed.',
      '删除分两部分：首先是 deletionTimestamp，然后在没有任何东西运行之后才从 API 移除。',
    ),
    text(
      '“Terminating” in kubectl isn’t a phase but shows the timestamp. The phase stays Running until the ' +
        'containers have exited.',
      'kubectl 的 “Terminating” 不是 phase，而是时间戳。容器结束之前 phase 一直是 Running。',
    ),
  ],
  manifest: podManifest(
    'delete-while-running',
    `
containers:
  - name: app
    image: busybox:1.36
    command: [sh, -c, 'trap "echo closing; sleep 2; exit 0" TERM; while true; do sleep 1; done']
`,
  ),
  acts: [{ at: 6, do: 'deletePod', pod: 'delete-while-running' }],
  duration: 25,
  profiles: bothProfiles,
  differs: text(
    'v1.36 runs SyncTerminatingPod and SyncTerminatedPod and then removes the object at once. v1.20 ' +
      'kills the pod in syncPod, and its status manager removes the object in its next round, every ten ' +
      'seconds.',
    'v1.36 依次经过 SyncTerminatingPod 和 SyncTerminatedPod 并立即移除；v1.20 在 syncPod 中杀死它，再由状态管理器在十秒一轮的检查中移除。',
  ),
  docker: {
    phase: 'gone',
    before: [appRuns],
    containers: [{ name: 'app', reason: 'Completed', exitCode: 0 }],
    events: [event('Killing', 'Stopping container app', 'app')],
    // v1.20 may remove the container before it has reported the exit.
    inV120: { containers: [] },
  },
};
