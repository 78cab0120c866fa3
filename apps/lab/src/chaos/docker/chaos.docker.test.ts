/** Tests a short run of chaos on a separate Docker daemon; `npx -y pnpm@12 chaos --runtime docker` runs longer. */
import { expect, it } from 'vitest';
import { runChaosOnDocker } from './run-on-docker.ts';

it('recovers from kills, suspension and clock jumps, and leaves foreign containers alone', {
  timeout: 300_000,
}, async () => {
  const killed = ['kill a container', 'kill the daemon', 'remove a container'] as const;
  const acts = [
    'create a pod',
    'create a pod',
    ...killed,
    'suspend the server',
    'clock jump',
    'kill the server',
    'kill containerd',
  ] as const;
  const { figures, problems } = await runChaosOnDocker({ seed: 11, acts, patience: 100_000 });
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
