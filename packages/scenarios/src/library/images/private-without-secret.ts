/** Scenario: a private registry without credentials. */
import type { Scenario } from '../../scenario.ts';
import { bothProfiles, event, podManifest, text } from '../authoring.ts';
import { pullReason } from '../differences.ts';

export const privateWithoutSecret: Scenario = {
  id: 'private-without-secret',
  category: 'images',
  title: text('Private registry, no secret', '私有仓库，没有 Secret'),
  summary: text(
    'The registry requires a login, but the pod has no pull secret. The registry rejects the pull.',
    '镜像仓库要求登录，而 Pod 没有拉取密钥。拉取被拒绝。',
  ),
  notice: [
    text(
      '“no basic auth credentials”: the engine had no credentials to send.',
      '“no basic auth credentials”：引擎没有可发送的凭据。',
    ),
    text(
      'Add imagePullSecrets: the next attempt after the back-off uses them.',
      '解决办法是 imagePullSecrets；回退之后的下一次尝试就会使用它。',
    ),
  ],
  manifest: podManifest(
    'private-without-secret',
    `
containers:
  - name: app
    image: private.registry.local/team/app:1.0
`,
  ),
  duration: 40,
  profiles: bothProfiles,
  differs: pullReason,
  docker: {
    phase: 'Pending',
    containers: [{ name: 'app', reason: 'ImagePullBackOff' }],
    events: [event('Failed', 'no basic auth credentials', 'app')],
    registry: {
      image: 'team/app:1.0',
      replaces: 'private.registry.local',
      login: { username: 'student', password: 'secret' },
    },
  },
};
