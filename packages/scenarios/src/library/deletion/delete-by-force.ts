/** Scenario: a pod is deleted with `--force --grace-period=0`. */
import type { Scenario } from '../../scenario.ts';
import { appRuns, bothProfiles, event, podManifest, text } from '../authoring.ts';
import { removal } from '../differences.ts';

export const deleteByForce: Scenario = {
  id: 'delete-by-force',
  category: 'deletion',
  title: text('Deleted by force', '强制删除'),
  summary: text(
    'The pod is deleted but doesn’t stop, so it is deleted again with grace period 0. It is removed from ' +
      'the API at once, but not from the node.',
    'Pod 被删除但不肯结束，于是以宽限期 0 再次删除：它立即从 API 消失，但没有从节点消失。',
  ),
  notice: [
    text(
      'A forced deletion only concerns the API: it doesn’t wait until the kubelet confirms that nothing ' +
        'runs any more.',
      '强制删除只发生在客户端和 API 之间：没有人等待 kubelet 确认已经没有东西在运行。',
    ),
    text(
      'In v1.36 the process runs until the grace period of the first deletion ends, so a second pod with ' +
        'this name can run at the same time. v1.20 kills it within two seconds, because it removes the pod’s ' +
        'cgroup.',
      '在 v1.36 中，进程会一直运行到第一次删除的宽限期结束：同名的第二个 Pod 可能与它同时运行。' +
        'v1.20 会在两秒内将它杀死，因为它会删除 Pod 的 cgroup。',
    ),
    text(
      'The kubelet finishes the deletion with its own records, because the API no longer has the pod.',
      'kubelet 凭自己所知把它结束：API 对它已经没有任何信息。',
    ),
  ],
  manifest: podManifest(
    'delete-by-force',
    `
terminationGracePeriodSeconds: 30
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
  duration: 50,
  profiles: bothProfiles,
  differs: removal,
  docker: {
    phase: 'gone',
    before: [appRuns, { containers: [{ name: 'app' }] }],
    // The pod object was removed while the container was still reported as running.
    containers: [{ name: 'app' }],
    events: [event('Killing', 'Stopping container app', 'app')],
  },
};
