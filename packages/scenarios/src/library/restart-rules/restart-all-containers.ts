/** Scenario: the exit of one container restarts the whole pod in place. */
import type { Scenario } from '../../scenario.ts';
import { newestProfile, podManifest, text } from '../authoring.ts';

export const restartAllContainers: Scenario = {
  id: 'restart-all-containers',
  category: 'restartRules',
  title: text('RestartAllContainers', 'RestartAllContainers'),
  summary: text(
    'A worker exits with code 88, for which its rule restarts the whole pod: all containers are removed ' +
      'and started again, including the init container.',
    '工作容器以 88 退出，它的规则把这当作重新开始的请求：所有容器都被移除并重新启动，包括 Init 容器。',
  ),
  notice: [
    text(
      'The pod keeps its sandbox, address, volumes and UID. Only its containers are created again.',
      'Pod 保持不变：沙箱、地址、卷和 UID。只有容器重新创建。',
    ),
    text(
      'The condition AllContainersRestarting is True during the restart.',
      '在此期间，状况 AllContainersRestarting 为 True。',
    ),
    text('The init container runs again, although it had succeeded.', 'Init 容器虽然已经成功，也会再次运行。'),
  ],
  manifest: podManifest(
    'restart-all-containers',
    `
restartPolicy: Always
terminationGracePeriodSeconds: 2
volumes:
  - name: state
    emptyDir: {}
initContainers:
  - name: prepare
    image: busybox:1.36
    command: [sh, -c, 'echo preparing; sleep 1']
containers:
  - name: trainer
    image: busybox:1.36
    command: [sh, -c, 'sleep 4; if [ ! -f /state/restarted ]; then touch /state/restarted; exit 88; fi;
      exec sleep 3600']
    volumeMounts: [{ name: state, mountPath: /state }]
    restartPolicy: Always
    restartPolicyRules:
      - action: RestartAllContainers
        exitCodes: { operator: In, values: [88] }
  - name: logger
    image: busybox:1.36
    command: [sh, -c, 'trap "exit 0" TERM; while true; do sleep 1; done']
`,
  ),
  duration: 40,
  profiles: newestProfile,
  docker: {
    phase: 'Running',
    containers: [
      { name: 'prepare', reason: 'Completed', restarts: 1 },
      { name: 'trainer', restarts: 1, ready: true },
      { name: 'logger', restarts: 1, ready: true },
    ],
  },
};
