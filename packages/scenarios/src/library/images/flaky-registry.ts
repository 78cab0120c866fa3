/** A registry that answers every other time. */
import type { Scenario } from '../../scenario.ts';
import { bothProfiles, podManifest, text } from '../authoring.ts';

export const flakyRegistry: Scenario = {
  id: 'flaky-registry',
  category: 'images',
  title: text('Flaky registry', '不稳定的镜像仓库'),
  summary: text('The registry answers many requests with 503. The back-off carries the pod over it.', '镜像仓库对许多请求回答 503。退避机制让 Pod 度过难关。'),
  notice: [
    text(
      'RegistryUnavailable instead of ErrImagePull: the registry was reached, but could not serve.',
      '是 RegistryUnavailable 而不是 ErrImagePull：镜像仓库可以到达，但无法服务。',
    ),
    text('Another seed has another number of failures: chance comes from the seed alone.', '换一个种子就有不同的失败次数：随机性完全来自种子。'),
  ],
  manifest: podManifest(
    'flaky-registry',
    `
containers:
  - name: app
    image: flaky.example/team/app:1.0
    command: [sleep, '3600']
`,
  ),
  simulator: { registries: [{ host: 'flaky.example', flakiness: 0.7, otherRepositories: { tools: 'busybox', layers: [3_600_000], command: ['sh'] } }] },
  duration: 100,
  profiles: bothProfiles,
};
