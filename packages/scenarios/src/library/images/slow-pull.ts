/** Scenario: a large image is pulled over a slow connection. */
import type { Scenario } from '../../scenario.ts';
import { bothProfiles, onlySimulated, podManifest, text } from '../authoring.ts';

export const slowPull: Scenario = {
  id: 'slow-pull',
  category: 'images',
  title: text('Slow pull', '缓慢的拉取'),
  summary: text(
    'A large image is pulled over a slow connection. The container is “ContainerCreating” for almost a ' +
      'minute, although nothing is wrong.',
    '大镜像经过慢速线路：容器在将近一分钟内处于 “ContainerCreating”，而一切正常。',
  ),
  notice: [
    text(
      'The pull is one runtime call, PullImage. Three layers are downloaded at a time, and layers are ' +
        'unpacked in order.',
      '拉取是对运行时的一次调用 PullImage；层每次下载三个，并按顺序解包。',
    ),
    text(
      'The pod’s worker is busy during the pull, so no other sync of this pod can begin.',
      'Pod 的 worker 在此期间一直忙碌：这个 Pod 的其他同步无法开始。',
    ),
    text(
      'The second container uses the same image, which is “already present on machine”.',
      '第二个容器使用同一个镜像：对它来说 “already present on machine”。',
    ),
  ],
  manifest: podManifest(
    'slow-pull',
    `
containers:
  - name: database
    image: far.example/big/database:16
    command: [sleep, '3600']
  - name: exporter
    image: far.example/big/database:16
    command: [sleep, '3600']
`,
  ),
  simulator: {
    registries: [
      {
        host: 'far.example',
        latency: 900,
        bytesPerSecond: 3_000_000,
        otherRepositories: {
          tools: 'gnu',
          layers: [28_200_000, 4_500_000, 1_400_000, 96_000_000, 12_000_000],
          command: ['sh'],
        },
      },
    ],
  },
  duration: 70,
  profiles: bothProfiles,
  differs: text(
    'v1.36 reports the duration of the pull, with and without waiting, and the size of the image. v1.20 ' +
      'reports only the duration.',
    'v1.36 会说明拉取用了多久、包括等待在内多久以及镜像大小；v1.20 只说明时间。',
  ),
  docker: onlySimulated(
    'It needs a registry that is far away, and the duration of a real pull is not predictable.',
    '它需要一个很远的镜像仓库；真实的仓库要多久谁也说不准。',
  ),
};
