/** Scenario: the kubelet rejects a pod whose requests don't fit the node. */
import type { Scenario } from '../../scenario.ts';
import { bothProfiles, documents, event, podManifest, text } from '../authoring.ts';

export const admissionRefused: Scenario = {
  id: 'admission-refused',
  category: 'admission',
  title: text('Rejected by the kubelet’s admission', '被 kubelet 拒绝准入'),
  summary: text(
    'The pod requests more memory than the node has. The kubelet rejects it: its phase is Failed, and ' +
      'nothing is created.',
    'Pod 要求的内存超过节点所有。kubelet 拒绝它：phase 为 Failed，什么都不会创建。',
  ),
  notice: [
    text('No sync runs, because a rejected pod has no worker.', '根本没有同步：被拒绝的 Pod 没有 worker。'),
    text(
      'A scheduler wouldn’t assign this pod to the node. Static pods and pods with spec.nodeName bypass ' +
        'the scheduler.',
      '调度器不会把它送到这里；静态 Pod 和 spec.nodeName 才会走到这一步。',
    ),
    text(
      'Failed is final: the kubelet doesn’t try again when resources are released. The second pod selects ' +
        'another kind of node.',
      'Failed 是最终状态：即使之后有空间 kubelet 也不会重试。第二个 Pod 要求另一种节点。',
    ),
  ],
  manifest: documents(
    podManifest(
      'too-large',
      `
containers:
  - name: app
    image: busybox:1.36
    command: [sleep, '3600']
    resources:
      requests: { memory: 4Ti }
`,
    ),
    podManifest(
      'wrong-node',
      `
nodeSelector:
  disk: ssd
containers:
  - name: app
    image: busybox:1.36
    command: [sleep, '3600']
`,
    ),
  ),
  duration: 15,
  profiles: bothProfiles,
  differs: text(
    'The message begins with “Pod was rejected: ” in v1.36 and with “Pod ” in v1.20. v1.36 also names ' +
      'the predicate that failed.',
    '消息在 v1.36 中以 “Pod was rejected: ” 开头，在 v1.20 中以 “Pod ” 开头；v1.36 还会说明是哪个状况。',
  ),
  docker: {
    pod: 'too-large',
    phase: 'Failed',
    reason: 'OutOfmemory',
    message: "Pod was rejected: Node didn't have enough resource: memory",
    address: 'none',
    events: [event('OutOfmemory', "Node didn't have enough resource: memory, requested: 4398046511104")],
    noEvents: [event('Pulled'), event('Created')],
    inV120: { message: "Pod Node didn't have enough resource: memory" },
  },
};
