/** What becomes of the teaching pods on a real Docker engine: side by side on one node, each until it is what the library says. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runsOnDocker, scenarios } from '@podscope/scenarios';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { docker, podContainers } from '../support/docker.ts';
import { type Podscope, startWithoutPage } from '../support/podscope.ts';
import { apply, isRestart, performActs, prepare, waitForMoment, waitForOutcome, whileDown } from '../support/scenario-on-docker.ts';

const playable = scenarios.filter(runsOnDocker);
const restarts = (scenario: (typeof playable)[number]): boolean => (scenario.acts ?? []).some(isRestart);
const onSharedServer = playable.filter((scenario) => !restarts(scenario));

let podscope: Podscope;

beforeAll(async () => {
  podscope = await startWithoutPage({ runtime: 'docker', args: ['--allow-host-namespaces'] });
});

afterAll(async () => {
  await podscope.stop();
});

describe.concurrent('on Docker, as the library says', () => {
  it('after restarts of kubelet and node', { timeout: 180_000 }, async () => {
    const stateDir = await mkdtemp(join(tmpdir(), 'podscope-scenarios-'));
    const all = await Promise.all(playable.filter(restarts).map((scenario) => prepare(scenario)));
    expect(all.map(({ name }) => name).toSorted()).toEqual(['containers-gone', 'exit-while-kubelet-down', 'kubelet-restart', 'node-restart']);
    let server = await startWithoutPage({ runtime: 'docker', stateDir });
    try {
      for (const { manifest } of all) await apply(server.api, manifest);
      await Promise.all(all.map((played) => performActs(server.api, played)));
      await server.kill();
      try {
        await Promise.all(all.map((played) => whileDown(played)));
        await docker('wait', ...(await podContainers('exit-while-kubelet-down', 'container')));
      } finally {
        server = await startWithoutPage({ runtime: 'docker', stateDir });
      }
      await Promise.all(all.map((played) => waitForOutcome(server.api, played)));
    } finally {
      await server.stop();
      await rm(stateDir, { recursive: true, force: true });
    }
  });

  it.each(onSharedServer.filter(({ docker: { refused } }) => refused !== undefined))('$id', async (scenario) => {
    const { name, manifest, outcome } = await prepare(scenario);
    await expect(apply(podscope.api, manifest)).rejects.toThrow(outcome.refused);
    expect(await podscope.api.getPod({ name })).toBeUndefined();
  });

  it.each(onSharedServer.filter(({ docker: { refused } }) => refused === undefined))('$id', { timeout: 180_000 }, async (scenario) => {
    const played = await prepare(scenario);
    const { name, outcome } = played;
    const { api } = podscope;
    try {
      await apply(api, played.manifest);
      const refused = await performActs(api, played);
      expect(refused).toHaveLength(scenario.id === 'env-edited' ? 1 : 0);
      await waitForOutcome(api, played);
      if (outcome.phase === 'gone') return;
      await api.deletePod({ name }, 1);
      await waitForMoment(api, name, { phase: 'gone' });
    } finally {
      await played.cleanUp();
    }
  });
});
