/** Scenario: a private registry with a wrong password, which is corrected later. */
import type { Scenario } from '../../scenario.ts';
import { appRuns, bothProfiles, documents, event, podManifest, text } from '../authoring.ts';
import { pullReason } from '../differences.ts';

export const privateWrongSecret: Scenario = {
  id: 'private-wrong-secret',
  category: 'images',
  title: text('Private registry, wrong secret', '私有仓库，错误的 Secret'),
  summary: text(
    'The pull secret contains an old password. After 20 seconds a user corrects it, and the next attempt ' +
      'succeeds.',
    '拉取密钥里是旧密码。20 秒后有人更正了它，下一次尝试就成功了。',
  ),
  notice: [
    text(
      '“unauthorized” instead of “no basic auth credentials”: the engine sent a login, and the registry ' +
        'rejected it.',
      '是“unauthorized”而不是“no basic auth credentials”：登录被尝试过了。',
    ),
    text(
      'The kubelet reads the secret at each attempt. Correcting it is enough; the pod needn’t be recreated.',
      '每次尝试都会重新读取 Secret：更正它就够了，不必重建 Pod。',
    ),
    text(
      'Correcting the secret doesn’t shorten the back-off: the next pull waits until the back-off ends.',
      '更正它并不会缩短回退：拉取要等到时间到了才进行。',
    ),
  ],
  manifest: documents(
    `apiVersion: v1
kind: Secret
metadata:
  name: registry-login
type: kubernetes.io/dockerconfigjson
stringData:
  .dockerconfigjson: '{"auths":{"private.registry.local":{"username":"student","password":"old"}}}'
`,
    podManifest(
      'private-wrong-secret',
      `
imagePullSecrets:
  - name: registry-login
containers:
  - name: app
    image: private.registry.local/team/app:1.0
    command: [sleep, '3600']
`,
    ),
  ),
  acts: [
    {
      at: 20,
      do: 'apply',
      manifest: `apiVersion: v1
kind: Secret
metadata:
  name: registry-login
type: kubernetes.io/dockerconfigjson
stringData:
  .dockerconfigjson: '{"auths":{"private.registry.local":{"username":"student","password":"secret"}}}'
`,
    },
  ],
  duration: 70,
  profiles: bothProfiles,
  differs: pullReason,
  docker: {
    ...appRuns,
    before: [{ containers: [{ name: 'app', reason: 'ImagePullBackOff' }] }],
    events: [
      event('Failed', 'unauthorized: authentication required', 'app'),
      event('Pulled', 'Successfully pulled image', 'app'),
    ],
    registry: {
      image: 'team/app:1.0',
      replaces: 'private.registry.local',
      login: { username: 'student', password: 'secret' },
    },
  },
};
