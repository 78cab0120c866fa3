/** Scenario: the image of a running pod is changed. */
import type { Scenario } from '../../scenario.ts';
import { bothProfiles, event, podManifest, text } from '../authoring.ts';
import { onlyLater } from '../differences.ts';

export const imageEdited: Scenario = {
  id: 'image-edited',
  category: 'changes',
  title: text('Image edited', '修改镜像'),
  summary: text(
    'The image is the only field of a container that an ordinary update may change. The kubelet stops the ' +
      'container and starts it from the new image.',
    '镜像是容器中唯一可以修改的东西。kubelet 停止该容器并从新镜像启动它。',
  ),
  notice: [
    text(
      'The container’s hash no longer matches: “definition changed, will be restarted”.',
      '容器的哈希不再匹配：“definition changed, will be restarted”。',
    ),
    text(
      'The sandbox and the other container stay. The restart count grows by one.',
      '沙箱和另一个容器保持不变。重启次数加一。',
    ),
    text(
      'The old container is stopped before the new image is pulled. If the pull fails, neither of them runs.',
      '旧容器在拉取新镜像之前就被停止：如果拉取失败，两者都不会运行。',
    ),
  ],
  manifest: podManifest(
    'image-edited',
    `
terminationGracePeriodSeconds: 5
containers:
  - name: app
    image: busybox:1.36
    command: [sh, -c, 'trap "exit 0" TERM; while true; do sleep 1; done']
  - name: other
    image: busybox:1.36
    command: [sleep, '3600']
`,
  ),
  acts: [
    {
      at: 10,
      do: 'apply',
      manifest: podManifest(
        'image-edited',
        `
terminationGracePeriodSeconds: 5
containers:
  - name: app
    image: busybox:1.37
    command: [sh, -c, 'trap "exit 0" TERM; while true; do sleep 1; done']
  - name: other
    image: busybox:1.36
    command: [sleep, '3600']
`,
      ),
    },
  ],
  duration: 30,
  profiles: bothProfiles,
  differs: onlyLater,
  docker: {
    phase: 'Running',
    containers: [
      { name: 'app', restarts: 1, ready: true, exitCode: 0 },
      { name: 'other', ready: true },
    ],
    before: [{ containers: [{ name: 'app' }, { name: 'other' }] }],
    events: [
      event('Killing', 'Container app definition changed, will be restarted', 'app'),
      event('Pulling', 'busybox:1.37', 'app'),
    ],
    registry: { image: 'busybox:1.37', replaces: 'busybox:1.37' },
  },
};
