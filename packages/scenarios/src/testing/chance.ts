/** Defines a scenario with much randomness: container lifetimes, and failures of the registry and the runtime. */
import type { Scenario } from '../scenario.ts';

const pod = (name: string, containers: string): string => `apiVersion: v1
kind: Pod
metadata:
  name: ${name}
spec:
  terminationGracePeriodSeconds: 3
  containers:
${containers}`;

const container = (name: string, image: string, more = ''): string =>
  `    - { name: ${name}, image: '${image}', command: [sleep, '3600']${more} }\n`;

const probe = ', livenessProbe: { exec: { command: [check] }, periodSeconds: 2, failureThreshold: 2 }';

/** This scenario isn't in the library, because only the tests of determinism use it. */
export const chance: Scenario = {
  id: 'chance',
  category: 'start',
  title: { en: 'Chance', zh: '随机' },
  summary: { en: 'Whatever chance decides.', zh: '一切由随机决定。' },
  notice: [],
  manifest: [
    pod('loops', container('short', 'busybox:1.36') + container('long', 'busybox:1.36')),
    pod('flaps', container('app', 'busybox:1.36', probe)),
    pod('pulls', container('first', 'flaky.example/team/first:1') + container('second', 'flaky.example/team/second:1')),
    pod('unlucky', container('app', 'busybox:1.36')),
  ].join('---\n'),
  scripts: {
    short: 'exit=1 after=3s~2s',
    long: 'exit=2 after=25s~20s; log="working" every=2s~1s',
    'flaps/app': 'run; exec=check exit=0 until=8s; exec=check exit=1 delay=1s~1s; sigterm=0 after=2s~2s',
  },
  simulator: {
    registries: [
      {
        host: 'flaky.example',
        flakiness: 0.4,
        resets: 0.6,
        otherRepositories: { tools: 'busybox', layers: [3_600_000, 24_000_000], command: ['sh'] },
      },
    ],
    faults: [
      { operation: 'RunPodSandbox', message: 'no luck with the sandbox', probability: 0.3, times: 20 },
      { operation: 'CreateContainer', message: 'no luck with the container', probability: 0.2, times: 20 },
      { operation: 'StartContainer', message: 'no luck with the start', probability: 0.2, times: 20 },
    ],
  },
  duration: 120,
  profiles: ['v1.36', 'v1.20'],
  differs: { en: 'Whatever differs.', zh: '各种不同。' },
  docker: { onlySimulated: { en: 'Chance has no seed there.', zh: '那里的随机没有种子。' } },
};
