/** Scenario: the config map of an environment variable doesn't exist yet. */
import type { Scenario } from '../../scenario.ts';
import { appRuns, bothProfiles, event, line, podManifest, text } from '../authoring.ts';
import { onlyLater } from '../differences.ts';

export const missingConfigMap: Scenario = {
  id: 'missing-config-map',
  category: 'configuration',
  title: text('Missing config map', 'ConfigMap 不存在'),
  summary: text(
    'An environment variable comes from a config map that does not exist; after 20 seconds somebody creates it.',
    '一个环境变量来自不存在的 ConfigMap；20 秒后有人创建了它。',
  ),
  notice: [
    text(
      'CreateContainerConfigError: the sandbox runs, the image is there, but the container’s configuration ' +
        'can’t be made.',
      'CreateContainerConfigError：沙箱在运行，镜像也在，但无法生成容器的配置。',
    ),
    text(
      'Nothing was created, so nothing crashed: the restart count stays 0, and no back-off is armed.',
      '什么都没有创建，也就没有崩溃：重启次数保持为 0，不会启动回退。',
    ),
    text(
      'Once the config map is there the next sync starts the container.',
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
