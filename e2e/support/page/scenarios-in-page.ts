/** Plays a scenario of the library in Chromium and returns a hash of its event log. Bundled by engine-bundle.ts. */
import type { ScenarioProfile } from '@podscope/scenarios';
import { findPlayed, logDigestOf, playThrough } from '@podscope/scenarios/testing';

/** Plays scenarios in this page's engine. */
const player = {
  /** SHA-256 of the event log. @throws Error when there is no such scenario */
  async digest(id: string, profile: ScenarioProfile, seed?: number): Promise<string> {
    const scenario = findPlayed(id);
    if (!scenario) throw new Error(`there is no scenario ${id}`);
    return logDigestOf(await playThrough(scenario, profile, seed));
  },
};

/** Where a test finds it. */
Object.assign(globalThis, { podscopeScenarios: player });

export type ScenarioPlayer = typeof player;
