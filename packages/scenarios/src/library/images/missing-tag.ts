/** Scenario: the repository exists, but the tag doesn't. */
import type { Scenario } from '../../scenario.ts';
import { bothProfiles, event, podManifest, text } from '../authoring.ts';
import { pullReason } from '../differences.ts';

export const missingTag: Scenario = {
  id: 'missing-tag',
  category: 'images',
  title: text('Missing tag', '标签不存在'),
  summary: text(
    'The repository exists, but the tag doesn’t. The registry answers at once that the manifest is unknown.',
    '仓库存在，但标签不存在：镜像仓库立即回答没有这个 manifest。',
  ),
  notice: [
    text(
      'The message is the registry’s own: “manifest unknown”. For a missing or private repository it would ' +
        'be “pull access denied”.',
      '消息来自镜像仓库本身：“manifest unknown”。与不存在或无权访问的仓库对比：“pull access denied”。',
    ),
    text(
      'The kubelet can’t distinguish a typo from a tag that will be pushed later, so it keeps trying.',
      'kubelet 无法区分拼写错误和稍后才会出现的标签：它会一直重试。',
    ),
  ],
  manifest: podManifest(
    'missing-tag',
    `
containers:
  - name: app
    image: nginx:does-not-exist
  - name: typo
    image: ngnix:1.27
`,
  ),
  duration: 40,
  profiles: bothProfiles,
  differs: pullReason,
  docker: {
    phase: 'Pending',
    containers: [
      { name: 'app', reason: 'ImagePullBackOff' },
      { name: 'typo', reason: 'ImagePullBackOff' },
    ],
    events: [
      event('Failed', 'Failed to pull image "nginx:does-not-exist"', 'app'),
      event('Failed', 'Failed to pull image "ngnix:1.27"', 'typo'),
    ],
  },
};
