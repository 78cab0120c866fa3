/** Tests a short run of chaos on a separate Docker daemon; `npx -y pnpm@12 chaos --runtime docker` runs longer. */

import { expect, it } from 'vitest';
import type { DockerAct } from './run-on-docker.ts';
import { runChaosOnDocker } from './run-on-docker.ts';

const acts: readonly DockerAct[] = [
  'create a pod',
  'create a pod',
  'kill a container',
  'kill the daemon',
  'kill the server',
  'remove a container',
  'suspend the server',
  'clock jump',
  'kill containerd',
];

it('recovers from kills, suspension and clock jumps, and leaves foreign containers alone', {
  timeout: 300_000,
}, async () => {
  const { figures, problems } = await runChaosOnDocker({ seed: 11, acts, timeout: 100_000 });
  expect(problems).toEqual([]);
  expect(Object.fromEntries(figures)).toMatchObject({
    'pods checked': 2,
    servers: 2,
    lost: 0,
    leaked: 0,
    'others harmed': 0,
    acts: acts.length,
  });
});
