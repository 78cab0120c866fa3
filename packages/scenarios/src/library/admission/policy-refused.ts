/** Scenario: the API server rejects a privileged pod. */
import type { Scenario } from '../../scenario.ts';
import { bothProfiles, podManifest, text } from '../authoring.ts';

export const policyRefused: Scenario = {
  id: 'policy-refused',
  category: 'admission',
  title: text('Refused by the API', '被 API 拒绝'),
  summary: text(
    'A privileged pod breaks the baseline policy: the API does not store it, and the kubelet never hears of it.',
    '特权 Pod 违反基线策略：API 不会保存它，kubelet 也不会知道它。',
  ),
  notice: [
    text(
      'There is no pod, no event, no phase: only the answer to whoever wanted to create it.',
      '没有 Pod、没有事件、没有 phase：只有给创建者的回答。',
    ),
    text(
      'Compare with a refusal by the kubelet: there the pod exists, and has Failed.',
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
    'Nothing: the policy refuses the pod before any kubelet sees it.',
    '没有区别：策略在任何 kubelet 看到之前就拒绝了这个 Pod。',
  ),
  docker: { refused: 'privileged', inV120: {} },
};
