/** --force --grace-period=0 */
import type { Scenario } from '../../scenario.ts';
import { bothProfiles, podManifest, text } from '../authoring.ts';

export const deleteByForce: Scenario = {
  id: 'delete-by-force',
  category: 'deletion',
  title: text('Deleted by force', '强制删除'),
  summary: text(
    'The pod is deleted, does not want to end, and is deleted again with grace period 0: gone from the API at once, and from the node a moment later.',
    'Pod 被删除但不肯结束，于是以宽限期 0 再次删除：立即从 API 消失，片刻后从节点消失。',
  ),
  notice: [
    text('A second deletion may only shorten the grace period.', '第二次删除只能缩短宽限期。'),
    text(
      'The API forgets the pod while its process may still run: the kubelet cleans up what it finds without a pod.',
      'API 忘记了 Pod，而它的进程可能还在运行：kubelet 会清理没有 Pod 的残留。',
    ),
  ],
  manifest: podManifest(
    'delete-by-force',
    `
terminationGracePeriodSeconds: 60
containers:
  - name: app
    image: busybox:1.36
    command: [sh, -c, 'trap "echo not yet" TERM; while true; do sleep 1; done']
`,
  ),
  acts: [
    { at: 6, do: 'deletePod', pod: 'delete-by-force' },
    { at: 12, do: 'deletePod', pod: 'delete-by-force', gracePeriodSeconds: 0 },
  ],
  duration: 30,
  profiles: bothProfiles,
};
