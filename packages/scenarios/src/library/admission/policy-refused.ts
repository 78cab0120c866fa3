/** Scenario: the API server rejects a privileged pod. */
import type { Scenario } from '../../scenario.ts';
import { bothProfiles, podManifest, text } from '../authoring.ts';

export const policyRefused: Scenario = {
  id: 'policy-refused',
  category: 'admission',
  title: text('Rejected by the API server', '被 API 拒绝'),
  summary: text(
    'A privileged pod violates the baseline policy. The API server doesn’t store it, and the kubelet ' +
      'never sees it.',
    '特权 Pod 违反基线策略：API 不会保存它，kubelet 也不会知道它。',
  ),
  notice: [
    text(
      'No pod, event or phase exists. Only the client that tried to create the pod gets the error.',
      '没有 Pod、没有事件、没有 phase：只有给创建者的回答。',
    ),
    text(
      'Compare this with a rejection by the kubelet: there the pod exists and its phase is Failed.',
      '与 kubelet 的拒绝对比：那里 Pod 存在，并且是 Failed。',
    ),
  ],
  manifest: podManifest(
    'policy-refused',
    `
containers:
  - name: app
    image: busybox:1.36
    command: [sleep, '3600']
    securityContext: { privileged: true }
`,
  ),
  duration: 10,
  profiles: bothProfiles,
  differs: text(
    'Nothing: the policy rejects the pod before any kubelet sees it.',
    '没有区别：策略在任何 kubelet 看到之前就拒绝了这个 Pod。',
  ),
  docker: { refused: 'privileged', inV120: {} },
};
