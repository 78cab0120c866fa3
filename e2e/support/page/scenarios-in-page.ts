/**
 * Plays a scenario of the library in Chromium and returns a hash of its event log. engine-bundle.ts bundles this
 * module.
 */
import type { ScenarioProfile } from '@podscope/scenarios';
import { findPlayed, logDigestOf, playThrough } from '@podscope/scenarios/testing';

/** Plays scenarios with the engine in this page. */
const player = {
  /**
   * Returns the SHA-256 digest of the event log.
   * @throws Error if the scenario doesn't exist
   */
  async digest(id: string, profile: ScenarioProfile, seed?: number): Promise<string> {
    const scenario = findPlayed(id);
    if (!scenario) throw new Error(`there is no scenario ${id}`);
    return logDigestOf(await playThrough(scenario, profile, seed));
  },
};

/** The test calls the functions through this global. */
Object.assign(globalThis, { podscopeScenarios: player });

export type ScenarioPlayer = typeof player;
