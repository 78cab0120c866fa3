/** Scenario: init containers run one after the other, each to completion. */
import type { Scenario } from '../../scenario.ts';
import { bothProfiles, podManifest, text } from '../authoring.ts';

export const initContainers: Scenario = {
  id: 'init-containers',
  category: 'init',
  title: text('Init containers', 'Init 容器'),
  summary: text(
    'Two init containers prepare a page, one after another; then the server starts.',
    '两个 Init 容器依次准备页面，然后服务器启动。',
  ),
  notice: [
    text(
      'Init containers run one at a time. Each must exit with 0 before the next is started, and each needs ' +
        'its own sync.',
      '一次只运行一个 Init 容器：每个都必须以 0 结束，下一个才会启动，并且需要一次单独的同步。',
    ),
    text(
      'Meanwhile the app’s container waits with the reason PodInitializing, and the condition Initialized ' +
        'is False.',
      '与此同时应用容器以 PodInitializing 原因等待，Initialized 状况为 False。',
    ),
  ],
  manifest: podManifest(
    'init-containers',
    `
volumes:
  - name: page
    emptyDir: {}
initContainers:
  - name: fetch
    image: busybox:1.36
    command: [sh, -c, 'sleep 2; echo hello > /page/index.html']
    volumeMounts: [{ name: page, mountPath: /page }]
  - name: check
    image: busybox:1.36
    command: [sh, -c, 'sleep 1; test -s /page/index.html']
    volumeMounts: [{ name: page, mountPath: /page }]
containers:
  - name: web
    image: busybox:1.36
    command: [httpd, -f, -p, '8080', -h, /page]
    volumeMounts: [{ name: page, mountPath: /page }]
`,
  ),
  duration: 25,
  profiles: bothProfiles,
  differs: text(
    'Both releases see each exit at the next relist, up to a second later. v1.20 sees each start only then, ' +
      'too; v1.36 sees it at once, because it lists the pod right after its own sync.',
    '两个版本都要到下一次 relist 才看到每次结束，最多晚一秒。v1.20 也要到那时才看到每次启动；v1.36 在自己的同步之后立即列出这个 Pod，因此马上看到。',
  ),
  docker: {
    phase: 'Running',
    containers: [
      { name: 'fetch', reason: 'Completed', exitCode: 0 },
      { name: 'check', reason: 'Completed', exitCode: 0 },
      { name: 'web', ready: true },
    ],
    conditions: [{ type: 'Initialized', status: 'True' }],
    inV120: {},
  },
};
