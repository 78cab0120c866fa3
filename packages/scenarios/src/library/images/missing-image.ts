/** Scenario: the registry's host name can't be resolved. */
import type { Scenario } from '../../scenario.ts';
import { bothProfiles, event, podManifest, text } from '../authoring.ts';
import { pullReason } from '../differences.ts';

export const missingImage: Scenario = {
  id: 'missing-image',
  category: 'images',
  title: text('Missing image', '镜像不存在'),
  summary: text(
    'No registry has the image. Each attempt fails, and the kubelet waits longer before the next.',
    '任何仓库都没有这个镜像。每次尝试都会失败，kubelet 在下一次尝试之前等待更长时间。',
  ),
  notice: [
    text(
      'ErrImagePull is a failed attempt; ImagePullBackOff is the wait before the next one.',
      'ErrImagePull 是一次失败的尝试；ImagePullBackOff 是下一次尝试之前的等待。',
    ),
    text('The sandbox stays: only the start of the container is retried.', '沙箱保持不变：只会重新尝试启动容器。'),
    text(
      'The waits double: 10, 20, 40 … seconds, up to 300. A sync in between only reports the wait.',
      '等待时间翻倍：10、20、40……秒，最长 300 秒。期间的同步只会说明正在等待。',
    ),
  ],
  manifest: podManifest(
    'missing-image',
    `
containers:
  - name: app
    image: registry.invalid/shop/web:1.0
`,
  ),
  duration: 100,
  profiles: bothProfiles,
  differs: pullReason,
  docker: {
    phase: 'Pending',
    containers: [
      {
        name: 'app',
        reason: 'ImagePullBackOff',
        message: 'Back-off pulling image "registry.invalid/shop/web:1.0": ErrImagePull: ',
      },
    ],
    events: [
      event('Failed', 'Failed to pull image "registry.invalid/shop/web:1.0"', 'app'),
      event('Failed', 'Error: ErrImagePull', 'app'),
      event('BackOff', 'Back-off pulling image "registry.invalid/shop/web:1.0"', 'app'),
    ],
    inV120: {
      containers: [
        { name: 'app', reason: 'ImagePullBackOff', message: 'Back-off pulling image "registry.invalid/shop/web:1.0"' },
      ],
    },
  },
};
