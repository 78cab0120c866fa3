/** Scenario: the image name is invalid. */
import type { Scenario } from '../../scenario.ts';
import { bothProfiles, event, podManifest, text } from '../authoring.ts';

export const badImageName: Scenario = {
  id: 'bad-image-name',
  category: 'images',
  title: text('Invalid image name', '无法解析的镜像名'),
  summary: text(
    'The name has upper-case letters, so it isn’t a valid image reference. Nothing is pulled.',
    '名称含有大写字母：它根本不是合法的引用。不会拉取任何东西。',
  ),
  notice: [
    text(
      'InvalidImageName comes from the kubelet itself. The runtime gets no pull request.',
      'InvalidImageName 来自 kubelet 自身；运行时从未被要求拉取。',
    ),
    text(
      'No image back-off starts, because no pull has failed. The sync is retried like any other that failed.',
      '没有镜像回退：没有拉取失败过。这次同步像其他失败的同步一样重试。',
    ),
  ],
  manifest: podManifest(
    'bad-image-name',
    `
containers:
  - name: app
    image: BusyBox:1.36
`,
  ),
  duration: 40,
  profiles: bothProfiles,
  differs: text(
    'v1.36 says “couldn’t parse image name”, v1.20 “couldn’t parse image reference”.',
    'v1.36 说 “couldn’t parse image name”，v1.20 说 “couldn’t parse image reference”。',
  ),
  docker: {
    phase: 'Pending',
    containers: [{ name: 'app', reason: 'InvalidImageName' }],
    events: [
      event('InspectFailed', 'couldn\'t parse image name "BusyBox:1.36"', 'app'),
      event('Failed', 'Error: InvalidImageName', 'app'),
    ],
    noEvents: [event('Pulling')],
    inV120: {
      events: [
        event('InspectFailed', 'couldn\'t parse image reference "BusyBox:1.36"', 'app'),
        event('Failed', 'Error: InvalidImageName', 'app'),
      ],
    },
  },
};
