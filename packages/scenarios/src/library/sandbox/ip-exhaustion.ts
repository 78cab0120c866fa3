/** Scenario: two pods in a network with one free address. */
import type { Scenario } from '../../scenario.ts';
import { bothProfiles, documents, onlySimulated, podManifest, text } from '../authoring.ts';
import { failedSandbox } from '../differences.ts';

export const ipExhaustion: Scenario = {
  id: 'ip-exhaustion',
  category: 'sandbox',
  title: text('No addresses left', '地址耗尽'),
  summary: text(
    'The pod network has a single address. The first pod takes it; the second gets none until the first is deleted.',
    'Pod 网络只有一个地址。第一个 Pod 占用了它；在第一个被删除之前第二个得不到地址。',
  ),
  notice: [
    text(
      'The CNI plugin reports the failure: “no IP addresses available in range set”.',
      '失败来自插件：“no IP addresses available in range set”。',
    ),
    text(
      'A deleted pod releases its address when its sandbox is stopped, not when the API object is removed.',
      '被删除的 Pod 在沙箱停止时归还地址，而不是在它从 API 消失时。',
    ),
  ],
  manifest: documents(
    podManifest(
      'first-guest',
      `
terminationGracePeriodSeconds: 1
containers:
  - name: app
    image: busybox:1.36
    command: [sleep, '3600']
`,
    ),
    podManifest(
      'second-guest',
      `
containers:
  - name: app
    image: busybox:1.36
    command: [sleep, '3600']
`,
    ),
  ),
  simulator: { ipRange: '10.244.0.0/30' },
  acts: [{ at: 15, do: 'deletePod', pod: 'first-guest' }],
  duration: 50,
  profiles: bothProfiles,
  differs: failedSandbox,
  docker: onlySimulated(
    'It needs a network of a single address; Docker’s own has thousands, for all containers of the machine.',
    '它需要只有一个地址的网络；Docker 自己的网络有成千上万个地址，供机器上所有容器使用。',
  ),
};
