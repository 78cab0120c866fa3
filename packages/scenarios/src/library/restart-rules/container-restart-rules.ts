/** Scenario: restart rules restart a container only after certain exit codes. */
import type { Scenario } from '../../scenario.ts';
import { newestProfile, podManifest, text } from '../authoring.ts';

export const containerRestartRules: Scenario = {
  id: 'container-restart-rules',
  category: 'restartRules',
  title: text('Container restart rules', '容器重启规则'),
  summary: text(
    'The pod’s policy is Never, but a rule of the container restarts it for exit code 42. Any other code is final.',
    'Pod 的策略是 Never，但容器的规则让退出码 42 触发重启。其他退出码都是最终的。',
  ),
  notice: [
    text(
      'The rule is evaluated before the policy: exit code 42 restarts the container, with the usual back-off.',
      '先问规则再问策略：42 会重启，并有通常的回退。',
    ),
    text(
      'The third run exits with 1. No rule matches, so restartPolicy Never applies, and the pod is Failed.',
      '第三次运行以 1 结束：没有规则匹配，restartPolicy Never 生效，Pod 变为 Failed。',
    ),
  ],
  manifest: podManifest(
    'container-restart-rules',
    `
restartPolicy: Never
volumes:
  - name: state
    emptyDir: {}
containers:
  - name: app
    image: busybox:1.36
    command: [sh, -c, 'echo x >> /state/runs; sleep 2; if [ $(wc -l < /state/runs) -lt 3 ]; then exit 42; fi; exit 1']
    volumeMounts: [{ name: state, mountPath: /state }]
    restartPolicy: Never
    restartPolicyRules:
      - action: Restart
        exitCodes: { operator: In, values: [42] }
`,
  ),
  duration: 30,
  profiles: newestProfile,
  docker: {
    phase: 'Failed',
    containers: [{ name: 'app', reason: 'Error', restarts: 2, exitCode: 1 }],
  },
};
