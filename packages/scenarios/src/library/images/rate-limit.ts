/** Scenario: a registry limits anonymous pulls. */
import type { Scenario } from '../../scenario.ts';
import { bothProfiles, onlySimulated, podManifest, text } from '../authoring.ts';
import { pullReason } from '../differences.ts';

export const rateLimit: Scenario = {
  id: 'rate-limit',
  category: 'images',
  title: text('Rate limit', '拉取速率限制'),
  summary: text(
    'The registry allows two anonymous pulls per minute, so the third container’s image has to wait.',
    '镜像仓库每分钟只允许两次匿名拉取；第三个容器的镜像必须等待。',
  ),
  notice: [
    text(
      '“toomanyrequests” comes from the registry. The kubelet’s own limit reports “pull QPS exceeded”.',
      '“toomanyrequests” 是镜像仓库的回答，不是 kubelet 的：kubelet 自身的限制会说 “pull QPS exceeded”。',
    ),
    text(
      'The other two containers run meanwhile: a problem of one container doesn’t delay the others.',
      '另外两个容器同时运行：一个容器的问题不会拖住其他容器。',
    ),
    text(
      'The back-off is longer than the limit’s minute, so the next attempt succeeds.',
      '回退时间超过了限制周期：一分钟之后的下一次尝试就成功了。',
    ),
  ],
  manifest: podManifest(
    'rate-limit',
    `
containers:
  - name: first
    image: hub.example/team/first:1.0
    command: [sleep, '3600']
  - name: second
    image: hub.example/team/second:1.0
    command: [sleep, '3600']
  - name: third
    image: hub.example/team/third:1.0
    command: [sleep, '3600']
`,
  ),
  simulator: {
    registries: [
      {
        host: 'hub.example',
        rateLimit: { pulls: 2, period: 60_000 },
        otherRepositories: { tools: 'busybox', layers: [3_600_000], command: ['sh'] },
      },
    ],
  },
  duration: 110,
  profiles: bothProfiles,
  differs: pullReason,
  docker: onlySimulated(
    'It needs a registry that permits two pulls a minute.',
    '它需要一个每分钟只允许拉取两次的镜像仓库。',
  ),
};
