/** Scenario: soft admission keeps a pod waiting. */
import type { Scenario } from '../../scenario.ts';
import { onlySimulated, podManifest, text } from '../authoring.ts';

export const blocked: Scenario = {
  id: 'blocked',
  category: 'admission',
  title: text('Blocked by soft admission', '被软准入阻止'),
  summary: text(
    'The pod requests an AppArmor profile that isn’t loaded on the node. The kubelet accepts the pod, ' +
      'but its container waits as Blocked.',
    'Pod 要求的 AppArmor 配置文件没有加载到节点上。kubelet 保留这个 Pod，其容器以 Blocked 状态等待。',
  ),
  notice: [
    text(
      'The check is a step of syncPod, not a part of admission: the phase stays Pending and the pod has a worker.',
      '这项检查是 syncPod 的一个步骤，而不是准入的一部分：phase 保持 Pending，Pod 有自己的 worker。',
    ),
    text(
      'The sync returns an error, so the worker checks again after 10 to 15 seconds: the pod starts once the ' +
        'profile is loaded.',
      '这次同步返回错误，因此 worker 会在 10 到 15 秒后再次检查：配置文件加载后 Pod 就会启动。',
    ),
  ],
  manifest: podManifest(
    'blocked',
    `
containers:
  - name: app
    image: busybox:1.36
    command: [sleep, '3600']
`,
  ).replace(
    '  name: blocked\n',
    '  name: blocked\n  annotations:\n    container.apparmor.security.beta.kubernetes.io/app: ' +
      'localhost/no-such-profile\n',
  ),
  duration: 30,
  profiles: ['v1.20'],
  docker: onlySimulated(
    'Which profiles are loaded, and whether the kernel has AppArmor at all, depends on the machine.',
    '加载了哪些配置文件，以及内核是否支持 AppArmor，取决于机器。',
  ),
};
