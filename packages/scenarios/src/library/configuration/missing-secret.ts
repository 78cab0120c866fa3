/** Scenario: the secret of `envFrom` doesn't exist. */
import type { Scenario } from '../../scenario.ts';
import { bothProfiles, event, podManifest, text } from '../authoring.ts';
import { onlyLater } from '../differences.ts';

export const missingSecret: Scenario = {
  id: 'missing-secret',
  category: 'configuration',
  title: text('Missing secret', 'Secret 不存在'),
  summary: text(
    'The container imports all variables of a secret, but the secret doesn’t exist.',
    '需要某个 Secret 的所有变量，但这个 Secret 不存在。',
  ),
  notice: [
    text(
      'The message names the secret: `secret "login-not-there" not found`.',
      '消息中写明了 Secret 的名字：`secret "login-not-there" not found`。',
    ),
    text(
      'With `optional: true` the container would start without the variables.',
      '如果设置 `optional: true`，容器会在没有这些变量的情况下启动。',
    ),
  ],
  manifest: podManifest(
    'missing-secret',
    `
containers:
  - name: app
    image: busybox:1.36
    command: [sleep, '3600']
    envFrom:
      - secretRef: { name: login-not-there }
`,
  ),
  duration: 30,
  profiles: bothProfiles,
  differs: onlyLater,
  docker: {
    phase: 'Pending',
    address: 'own',
    containers: [{ name: 'app', reason: 'CreateContainerConfigError', message: 'secret "login-not-there" not found' }],
    events: [event('Failed', 'Error: secret "login-not-there" not found', 'app')],
  },
};
