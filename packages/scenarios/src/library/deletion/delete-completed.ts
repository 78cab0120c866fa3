/** Scenario: a completed pod is deleted without delay. */
import type { Scenario } from '../../scenario.ts';
import { bothProfiles, event, podManifest, text } from '../authoring.ts';
import { completion } from '../differences.ts';

export const deleteCompleted: Scenario = {
  id: 'delete-completed',
  category: 'deletion',
  title: text('Deleted after completion', '结束后删除'),
  summary: text(
    'The pod has Succeeded and is deleted. No container has to be stopped.',
    'Pod 已经 Succeeded，然后被删除：没有什么可以停止的了。',
  ),
  notice: [
    text('Its sandbox was stopped when the last container exited.', '任务完成时沙箱就已停止。'),
    text(
      'Until the deletion, users could read its logs and last states. Finished pods are kept for that purpose.',
      '直到现在还可以查看日志和最后状态：这就是保留已完成 Pod 的目的。',
    ),
  ],
  manifest: podManifest(
    'delete-completed',
    `
restartPolicy: Never
containers:
  - name: app
    image: busybox:1.36
    command: [sh, -c, 'echo done; sleep 2']
`,
  ),
  acts: [{ at: 12, do: 'deletePod', pod: 'delete-completed' }],
  duration: 25,
  profiles: bothProfiles,
  differs: completion,
  docker: {
    phase: 'gone',
    before: [{ phase: 'Succeeded' }],
    containers: [{ name: 'app', reason: 'Completed', exitCode: 0 }],
    noEvents: [event('Killing')],
  },
};
