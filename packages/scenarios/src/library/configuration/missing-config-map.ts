/** Scenario: the config map of an environment variable doesn't exist yet. */
import type { Scenario } from '../../scenario.ts';
import { appRuns, bothProfiles, event, line, podManifest, text } from '../authoring.ts';
import { onlyLater } from '../differences.ts';

export const missingConfigMap: Scenario = {
  id: 'missing-config-map',
  category: 'configuration',
  title: text('Missing config map', 'ConfigMap 不存在'),
  summary: text(
    'An environment variable refers to a config map that doesn’t exist. After 20 seconds a user creates it.',
    '一个环境变量来自不存在的 ConfigMap；20 秒后有人创建了它。',
  ),
  notice: [
    text(
      'CreateContainerConfigError: the sandbox runs and the image is present, but the container’s ' +
        'configuration can’t be generated.',
      'CreateContainerConfigError：沙箱在运行，镜像也在，但无法生成容器的配置。',
    ),
    text(
      'No container was created, so none has crashed. The restart count stays 0, and no back-off starts.',
      '什么都没有创建，也就没有崩溃：重启次数保持为 0，不会启动回退。',
    ),
    text(
      'Once the config map exists, the next sync starts the container.',
      'ConfigMap 出现后，下一次同步就会启动容器。',
    ),
  ],
  manifest: podManifest(
    'missing-config-map',
    `
containers:
  - name: app
    image: busybox:1.36
    command: [sh, -c, 'echo $GREETING; exec sleep 3600']
    env:
      - name: GREETING
        valueFrom: { configMapKeyRef: { name: settings-not-there, key: greeting } }
`,
  ),
  acts: [
    {
      at: 20,
      do: 'apply',
      manifest: `apiVersion: v1
kind: ConfigMap
metadata:
  name: settings-not-there
data:
  greeting: hello
`,
    },
  ],
  duration: 45,
  profiles: bothProfiles,
  differs: onlyLater,
  docker: {
    ...appRuns,
    before: [
      {
        phase: 'Pending',
        address: 'own',
        containers: [
          { name: 'app', reason: 'CreateContainerConfigError', message: 'configmap "settings-not-there" not found' },
        ],
      },
    ],
    events: [event('Failed', 'Error: configmap "settings-not-there" not found', 'app')],
    logs: [line('app', 'hello')],
  },
};
