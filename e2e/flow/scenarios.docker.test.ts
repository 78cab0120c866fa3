/**
 * Plays the teaching pods on Docker until each has the outcome that the library states. For each release, the pods run
 * concurrently on one node.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dockerOutcomeOf, type Scenario, type ScenarioProfile, scenarios } from '@podscope/scenarios';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Podscope, startWithoutPage } from '../support/podscope.ts';
import {
  apply,
  isRestart,
  type Played,
  performActs,
  prepare,
  uidOf,
  waitForExits,
  waitForMoment,
  waitForOutcome,
  whileDown,
} from '../support/scenario-on-docker.ts';

/** `PODSCOPE_TEST_LONG=1` also plays all scenarios with v1.20 whose outcome is the same in both releases. */
const isLong = process.env['PODSCOPE_TEST_LONG'] === '1';

const restarts = ({ acts = [] }: Scenario): boolean => acts.some(isRestart);
const playable = (release: ScenarioProfile): readonly Scenario[] =>
  scenarios.filter((scenario) => dockerOutcomeOf(scenario, release) !== undefined);
const onSharedServer = (release: ScenarioProfile): readonly Scenario[] =>
  playable(release).filter((scenario) => !restarts(scenario));
const differsInV120 = (scenario: Scenario): boolean =>
  JSON.stringify(dockerOutcomeOf(scenario, 'v1.20')) !== JSON.stringify(dockerOutcomeOf(scenario, 'v1.36'));

const start = (release: ScenarioProfile, stateDir?: string): Promise<Podscope> =>
  startWithoutPage({
    runtime: 'docker',
    args: ['--profile', release, '--allow-host-namespaces'],
    ...(stateDir === undefined ? {} : { stateDir }),
  });

let podscope: Podscope;
let podscopeV120: Podscope;

beforeAll(async () => {
  [podscope, podscopeV120] = await Promise.all([start('v1.36'), start('v1.20')]);
});

afterAll(async () => {
  await Promise.all([podscope.stop(), podscopeV120.stop()]);
});

/**
 * Applies the manifest, performs the actions of the scenario, and waits for the outcome.
 * @returns the API's rejections of the manifest or of actions
 */
async function play({ api }: Podscope, played: Played): Promise<readonly string[]> {
  const { manifest, name, outcome } = played;
  if (outcome.refused !== undefined) {
    const refusal = await apply(api, manifest).then(
      () => 'nothing was refused',
      (error: unknown) => String(error),
    );
    return (await api.getPod({ name })) === undefined ? [refusal] : [refusal, `pod ${name} is there`];
  }
  const refused = await performActs(api, played, () => apply(api, manifest));
  await waitForOutcome(api, played);
  return refused;
}

/** Returns a matcher for the expected result of {@link play}. */
const refusals = ({ outcome: { refused, refusedActs = [] } }: Played): readonly string[] =>
  (refused === undefined ? refusedActs : [refused]).map((part) => expect.stringContaining(part) as string);

describe.concurrent('the library’s scenarios on Docker', () => {
  it.each([
    ['v1.36', ['containers-gone', 'exit-while-kubelet-down', 'kubelet-restart', 'node-restart']],
    ['v1.20', ['containers-gone', 'node-restart']],
  ] as const)('after restarts of kubelet and node, with %s', { timeout: 600_000 }, async (release, names) => {
    const stateDir = await mkdtemp(join(tmpdir(), 'podscope-scenarios-'));
    const all = await Promise.all(
      playable(release)
        .filter(restarts)
        .map((scenario) => prepare(scenario, release)),
    );
    expect(all.map(({ name }) => name).toSorted()).toEqual(names);
    let server = await start(release, stateDir);
    try {
      for (const { manifest } of all) await apply(server.api, manifest);
      await Promise.all(all.map((played) => performActs(server.api, played)));
      const uids = new Map<string, string>();
      for (const { name } of all) uids.set(name, await uidOf(server.api, name));
      await server.kill();
      try {
        await Promise.all(all.map((played) => whileDown(played, uids.get(played.name) ?? '')));
        const ending = uids.get('exit-while-kubelet-down');
        if (ending !== undefined) await waitForExits(ending);
      } finally {
        server = await start(release, stateDir);
      }
      await Promise.all(all.map((played) => waitForOutcome(server.api, played)));
    } finally {
      await server.stop();
      await rm(stateDir, { recursive: true, force: true });
    }
  });

  it('with v1.20', { timeout: 600_000 }, async () => {
    const chosen = onSharedServer('v1.20').filter((scenario) => isLong || differsInV120(scenario));
    const all = await Promise.all(chosen.map((scenario) => prepare(scenario, 'v1.20')));
    expect(all.length).toBeGreaterThanOrEqual(isLong ? 15 : 8);
    try {
      const outcomes = await Promise.all(
        all.map((played) => play(podscopeV120, played).catch((error: unknown) => `${played.name}: ${String(error)}`)),
      );
      expect(outcomes).toEqual(all.map((played) => refusals(played)));
    } finally {
      for (const { cleanUp } of all) await cleanUp();
    }
  });

  it.each(onSharedServer('v1.36'))('$id', { timeout: 600_000 }, async (scenario) => {
    const played = await prepare(scenario, 'v1.36');
    const { name, outcome } = played;
    try {
      expect(await play(podscope, played)).toEqual(refusals(played));
      if (outcome.refused !== undefined || outcome.phase === 'gone') return;
      await podscope.api.deletePod({ name }, 1);
      await waitForMoment(podscope.api, name, { phase: 'gone' });
    } finally {
      await played.cleanUp();
    }
  });
});
