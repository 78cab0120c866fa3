/** Scenario: a registry rejects some requests and breaks off some downloads. */
import type { Scenario } from '../../scenario.ts';
import { bothProfiles, onlySimulated, podManifest, text } from '../authoring.ts';
import { pullReason } from '../differences.ts';

export const flakyRegistry: Scenario = {
  id: 'flaky-registry',
  category: 'images',
  title: text('Flaky registry', '不稳定的镜像仓库'),
  summary: text(
    'The registry answers some requests with 503 and interrupts many downloads in the middle of a layer. ' +
      'Retries with back-off get the pod started.',
    '镜像仓库对一部分请求回答 503，并且常常在下载一层的中途断开连接。回退机制让 Pod 度过难关。',
  ),
  notice: [
    text(
      'The engine retries an interrupted layer after 5, 10, 15 and 20 seconds and continues where it ' +
        'stopped. The kubelet doesn’t see that. The pull fails only after the fifth interruption: connection ' +
        'reset by peer.',
      '被中断的层由引擎在 5、10、15、20 秒后重试，并从断开处继续；kubelet 看不到这些。直到第五次中断，拉取才失败：connection reset by peer。',
    ),
    text(
      'A 503 fails the pull at once. Retrying with back-off is then all that the kubelet can do, and it is ' +
        'enough.',
      '503 会让拉取立即失败：这时带回退地重试是 kubelet 唯一能做的，也正是所需要的。',
    ),
    text(
      'The reason is ErrImagePull although the runtime reports RegistryUnavailable: through CRI the text ' +
        'begins with “rpc error”, and the kubelet compares the beginning.',
      '虽然运行时说的是 RegistryUnavailable，原因却是 ErrImagePull：经过 CRI 后文本以 “rpc error” 开头，而 kubelet 比较的是开头。',
    ),
    text(
      'Another seed causes other failures, because all randomness comes from the seed.',
      '换一个种子就有不同的失败：随机性完全来自种子。',
    ),
  ],
  manifest: podManifest(
    'flaky-registry',
    `
containers:
  - name: app
    image: flaky.example/team/app:1.0
    command: [sleep, '3600']
  - name: proxy
    image: flaky.example/team/proxy:1.0
    command: [sleep, '3600']
`,
  ),
  simulator: {
    registries: [
      {
        host: 'flaky.example',
        flakiness: 0.3,
        resets: 0.7,
        otherRepositories: { tools: 'busybox', layers: [3_600_000, 24_000_000], command: ['sh'] },
      },
    ],
  },
  duration: 120,
  profiles: bothProfiles,
  differs: pullReason,
  docker: onlySimulated('A real registry can’t be told to fail now and then.', '真实的镜像仓库无法被安排成时好时坏。'),
};
