/** Lists example fault plans. */
import type { faultMessages } from './messages.en.ts';

export interface ExamplePlan {
  readonly title: keyof typeof faultMessages;
  readonly yaml: string;
}

export const examplePlans: readonly [ExamplePlan, ...ExamplePlan[]] = [
  {
    title: 'flakyRegistry',
    yaml: `name: flaky-registry
description: The registry is slow, then gone for two pulls.
faults:
  - { at: cri.PullImage, times: 1, delay: 5s }
  - at: cri.PullImage
    skip: 1
    times: 2
    fail: { grpc: Unavailable, message: "dial tcp: connection refused" }
`,
  },
  {
    title: 'fullDisk',
    yaml: `name: full-disk
description: The first container of a pod finds no room.
faults:
  - at: cri.CreateContainer
    times: 1
    fail: { grpc: Internal, message: no space left on device }
`,
  },
  {
    title: 'noAddresses',
    yaml: `name: no-addresses
description: The network has no address left for two sandboxes.
faults:
  - at: cri.RunPodSandbox
    times: 2
    fail: { grpc: Unknown, message: "failed to set up sandbox network: no addresses available" }
`,
  },
  {
    title: 'notReady',
    yaml: `name: not-ready
description: Readiness probes fail, whatever the container answers.
faults:
  - at: kubelet.probe
    condition: 'args.type == "readiness"'
    answer: { result: failure, output: says the plan }
`,
  },
  {
    title: 'noBackOff',
    yaml: `name: no-back-off
description: No container waits for its back-off.
faults:
  - { at: kuberuntime.doBackOff, skipWait: true }
`,
  },
];
