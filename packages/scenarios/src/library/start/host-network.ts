/** Scenario: a pod uses the host network. */
import type { Scenario } from '../../scenario.ts';
import { appRuns, bothProfiles, podManifest, text } from '../authoring.ts';
import { onlyLater } from '../differences.ts';

export const hostNetwork: Scenario = {
  id: 'host-network',
  category: 'start',
  title: text('Host network', '主机网络'),
  summary: text(
    'The pod shares the node’s network. Its address is the node’s, and no network plugin is called.',
    'Pod 使用节点的网络：它的地址就是节点的地址，不会调用网络插件。',
  ),
  notice: [
    text('RunPodSandbox is shorter, because no network is set up.', 'RunPodSandbox 更短：没有网络需要设置。'),
    text(
      'podIP equals hostIP. Two such pods can’t listen on the same port.',
      'podIP 等于 hostIP。两个这样的 Pod 监听同一个端口会互相冲突。',
    ),
    text(
      'The baseline policy rejects such pods, but this node permits them.',
      '基线策略会拒绝这样的 Pod；本节点允许它。',
    ),
  ],
  manifest: podManifest(
    'host-network',
    `
hostNetwork: true
containers:
  - name: app
    image: busybox:1.36
    command: [sh, -c, 'hostname -i; exec sleep 3600']
`,
  ),
  policy: { allowPrivileged: false, allowHostPath: false, allowHostNamespaces: true },
  duration: 20,
  profiles: bothProfiles,
  differs: onlyLater,
  docker: { ...appRuns, address: 'node' },
};
