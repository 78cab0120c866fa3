/** Scenario: `imagePullPolicy: Never` without a local image. */
import type { Scenario } from '../../scenario.ts';
import { appRuns, bothProfiles, event, podManifest, text } from '../authoring.ts';
import { onlyLater } from '../differences.ts';

export const neverPull: Scenario = {
  id: 'never-pull',
  category: 'images',
  title: text('Never pull', '从不拉取'),
  summary: text(
    'imagePullPolicy is Never and the image isn’t on the node. The container can’t start until a user ' +
      'loads the image.',
    'imagePullPolicy 为 Never，而镜像不在节点上：在有人带来镜像之前，容器无法启动。',
  ),
  notice: [
    text(
      'ErrImageNeverPull: the kubelet makes no pull, so there is no pull back-off either.',
      'ErrImageNeverPull：不会询问任何镜像仓库，因此也没有拉取回退。',
    ),
    text(
      'Each sync checks again, so the next sync finds an image that was loaded by hand.',
      '每次同步都会再看一次：手动加载的镜像会在下一次同步时被发现。',
    ),
  ],
  manifest: podManifest(
    'never-pull',
    `
containers:
  - name: app
    image: shop/web:1.0
    imagePullPolicy: Never
    command: [sleep, '3600']
`,
  ),
  acts: [{ at: 25, do: 'addImage', image: 'shop/web:1.0' }],
  duration: 50,
  profiles: bothProfiles,
  differs: onlyLater,
  docker: {
    ...appRuns,
    before: [{ phase: 'Pending', containers: [{ name: 'app', reason: 'ErrImageNeverPull' }] }],
    events: [
      event('ErrImageNeverPull', 'is not present with pull policy of Never', 'app'),
      event('Pulled', 'already present on machine', 'app'),
    ],
    noEvents: [event('Pulling')],
  },
};
