/** Scenario: the API server rejects a change of an immutable field, and the pod is replaced instead. */
import type { Scenario } from '../../scenario.ts';
import { appRuns, bothProfiles, event, podManifest, text } from '../authoring.ts';

export const envEdited: Scenario = {
  id: 'env-edited',
  category: 'changes',
  title: text('Environment edited', '修改环境变量'),
  summary: text(
    'A variable of a running pod is edited, which the API server rejects. The pod is deleted and created ' +
      'again with the new value.',
    '修改运行中 Pod 的变量：API 拒绝。于是删除 Pod 并用新值重新创建。',
  ),
  notice: [
    text(
      'The kubelet never sees the rejected edit, so nothing happens on the node.',
      'kubelet 根本不知道被拒绝的修改：节点上什么也没发生。',
    ),
    text(
      'The new pod has the same name and another UID. To the kubelet it is a different pod.',
      '回来的 Pod 名字相同，但 UID 不同：对 kubelet 来说是另一个 Pod。',
    ),
  ],
  manifest: podManifest(
    'env-edited',
    `
terminationGracePeriodSeconds: 3
containers:
  - name: app
    image: busybox:1.36
    command: [sleep, '3600']
    env: [{ name: MODE, value: slow }]
`,
  ),
  acts: [
    {
      at: 5,
      do: 'apply',
      manifest: podManifest(
        'env-edited',
        `
terminationGracePeriodSeconds: 3
containers:
  - name: app
    image: busybox:1.36
    command: [sleep, '3600']
    env: [{ name: MODE, value: fast }]
`,
      ),
    },
    { at: 10, do: 'deletePod', pod: 'env-edited' },
    {
      at: 20,
      do: 'apply',
      manifest: podManifest(
        'env-edited',
        `
terminationGracePeriodSeconds: 3
containers:
  - name: app
    image: busybox:1.36
    command: [sleep, '3600']
    env: [{ name: MODE, value: fast }]
`,
      ),
    },
  ],
  duration: 35,
  profiles: bothProfiles,
  differs: text(
    'In v1.20 the deletion takes longer: the pod stays until a later relist shows that container and ' +
      'sandbox are removed.',
    '在 v1.20 中被删除的 Pod 消失得更晚：要等到之后查看运行时发现容器和沙箱都已删除。',
  ),
  docker: {
    ...appRuns,
    before: [appRuns, appRuns, { phase: 'gone' }],
    refusedActs: ['pod updates may not change fields other than'],
    events: [event('Killing', 'Stopping container app')],
  },
};
