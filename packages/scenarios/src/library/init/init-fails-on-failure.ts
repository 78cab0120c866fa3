/** Scenario: an init container fails with restartPolicy OnFailure and is retried until it succeeds. */
import type { Scenario } from '../../scenario.ts';
import { bothProfiles, line, podManifest, text } from '../authoring.ts';
import { completion } from '../differences.ts';

export const initFailsOnFailure: Scenario = {
  id: 'init-fails-on-failure',
  category: 'init',
  title: text('Failing init container: OnFailure', 'Init 容器失败：OnFailure'),
  summary: text(
    'The init container fails twice and succeeds the third time. Then the app runs to completion.',
    'Init 容器失败两次，第三次成功；然后应用运行到结束。',
  ),
  notice: [
    text(
      'For an init container, OnFailure and Always have the same effect.',
      '对 Init 容器来说 OnFailure 与 Always 相同。',
    ),
    text('Its restart count is 2 and its state is Completed.', '它的重启次数说明了过程：2 次，状态为 Completed。'),
  ],
  manifest: podManifest(
    'init-fails-on-failure',
    `
restartPolicy: OnFailure
volumes:
  - name: state
    emptyDir: {}
initContainers:
  - name: migrate
    image: busybox:1.36
    command: [sh, -c, 'echo x >> /state/tries; sleep 1; test $(wc -l < /state/tries) -ge 3']
    volumeMounts: [{ name: state, mountPath: /state }]
containers:
  - name: app
    image: busybox:1.36
    command: [sh, -c, 'echo done; sleep 2']
`,
  ),
  duration: 45,
  profiles: bothProfiles,
  differs: completion,
  docker: {
    phase: 'Succeeded',
    containers: [
      { name: 'migrate', reason: 'Completed', exitCode: 0, restarts: 2 },
      { name: 'app', reason: 'Completed', exitCode: 0 },
    ],
    logs: [line('app', 'done')],
  },
};
