/** Scenario: the config map of a volume doesn't exist, so the pod gets no sandbox. */
import type { Scenario } from '../../scenario.ts';
import { bothProfiles, event, podManifest, text } from '../authoring.ts';

export const missingConfigMapVolume: Scenario = {
  id: 'missing-config-map-volume',
  category: 'configuration',
  title: text('Missing config map as a volume', '作为卷的 ConfigMap 不存在'),
  summary: text(
    'The same mistake, but as a volume. The pod gets stuck earlier, before its sandbox is created.',
    '同样的错误，但这次是作为卷：Pod 更早卡住，在沙箱之前。',
  ),
  notice: [
    text(
      'No sandbox exists, because volumes are mounted first. Compare this with the same mistake in an ' +
        'environment variable.',
      '没有沙箱：卷在最前面。与环境变量里的同样错误对比。',
    ),
    text(
      'The status only shows ContainerCreating. The event FailedMount names the problem.',
      '显示的原因只有 ContainerCreating；问题写在 FailedMount 事件里。',
    ),
    text(
      'The worker waits up to 2 min 3 s for the volumes. Then the sync fails and is retried.',
      'worker 最多等待卷 2 分 3 秒，然后同步失败并重试。',
    ),
  ],
  manifest: podManifest(
    'missing-config-map-volume',
    `
volumes:
  - name: settings
    configMap: { name: volume-not-there }
containers:
  - name: app
    image: busybox:1.36
    command: [sh, -c, 'cat /settings/greeting; exec sleep 3600']
    volumeMounts:
      - { name: settings, mountPath: /settings }
`,
  ),
  duration: 140,
  profiles: bothProfiles,
  differs: text(
    'After the two minutes, v1.20 also reports “Unable to attach or mount volumes”. v1.36 treats the ' +
      'timeout as a cancellation and reports nothing.',
    '两分钟过去后 v1.20 还会报告 “Unable to attach or mount volumes”；v1.36 把超时当作取消，什么也不说。',
  ),
  docker: {
    phase: 'Pending',
    address: 'none',
    containers: [{ name: 'app', reason: 'ContainerCreating' }],
    events: [event('FailedMount', 'configmap "volume-not-there" not found')],
    noEvents: [event('Pulled'), event('Created')],
    inV120: {},
  },
};
