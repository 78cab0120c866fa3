/** Scenario: the image of a running container is deleted. */
import type { Scenario } from '../../scenario.ts';
import { appRuns, bothProfiles, event, podManifest, text } from '../authoring.ts';
import { onlyLater } from '../differences.ts';

export const imageDeleted: Scenario = {
  id: 'image-deleted',
  category: 'outside',
  title: text('Image deleted', '镜像被删除'),
  summary: text(
    'The image of a running container is deleted by force. The container keeps running, but its next ' +
      'start needs the image.',
    '运行中容器的镜像被强制删除。容器不在乎，但它的下一次启动在乎。',
  ),
  notice: [
    text(
      'Nothing happens at the deletion: a running container needs its layers, not the image’s name.',
      '删除时什么也不会发生：运行中的容器需要的是层，而不是镜像的名字。',
    ),
    text(
      'At the restart, EnsureImageExists finds the image absent and pulls it, because IfNotPresent applies ' +
        'to each start.',
      '重启时 EnsureImageExists 发现镜像不在并拉取：IfNotPresent 指的是每次启动。',
    ),
  ],
  manifest: podManifest(
    'image-deleted',
    `
containers:
  - name: app
    image: busybox:1.36
    command: [sleep, '3600']
`,
  ),
  acts: [
    { at: 6, do: 'removeImage', image: 'busybox:1.36' },
    { at: 12, do: 'exitContainer', pod: 'image-deleted', container: 'app', code: 1 },
  ],
  duration: 30,
  profiles: bothProfiles,
  differs: onlyLater,
  docker: {
    phase: 'Running',
    containers: [{ name: 'app', restarts: 1, ready: true }],
    before: [appRuns, appRuns],
    events: [event('Pulling', '', 'app', 2)],
    registry: { image: 'busybox:1.36', replaces: 'busybox:1.36' },
  },
};
