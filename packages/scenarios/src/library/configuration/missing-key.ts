/** Scenario: a config map exists without the requested key. */
import type { Scenario } from '../../scenario.ts';
import { bothProfiles, documents, event, podManifest, text } from '../authoring.ts';
import { oneMoreTry } from '../differences.ts';

export const missingKey: Scenario = {
  id: 'missing-key',
  category: 'configuration',
  title: text('Missing key', '键不存在'),
  summary: text(
    'The config map exists, but it doesn’t contain the key to which the variable refers.',
    'ConfigMap 存在，但变量所要的键不存在。',
  ),
  notice: [
    text(
      '“couldn’t find key”: the config map was found, so its name is right.',
      '“couldn’t find key”：对象找到了，所以名字是对的。',
    ),
    text(
      'The second container has no such variable and runs. The pod’s phase stays Pending while one ' +
        'container waits.',
      '第二个容器没有这个变量，正在运行：只要有一个在等待，Pod 的 phase 就保持 Pending。',
    ),
  ],
  manifest: documents(
    `apiVersion: v1
kind: ConfigMap
metadata:
  name: colours
data:
  sky: blue
`,
    podManifest(
      'missing-key',
      `
containers:
  - name: app
    image: busybox:1.36
    command: [sleep, '3600']
    env:
      - name: GRASS
        valueFrom: { configMapKeyRef: { name: colours, key: grass } }
  - name: other
    image: busybox:1.36
    command: [sleep, '3600']
`,
    ),
  ),
  duration: 30,
  profiles: bothProfiles,
  differs: oneMoreTry,
  docker: {
    phase: 'Pending',
    containers: [
      {
        name: 'app',
        reason: 'CreateContainerConfigError',
        message: "couldn't find key grass in ConfigMap default/colours",
      },
      { name: 'other', ready: true },
    ],
    events: [event('Failed', "Error: couldn't find key grass in ConfigMap default/colours", 'app')],
    inV120: {},
  },
};
