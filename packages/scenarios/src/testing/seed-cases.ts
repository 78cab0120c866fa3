/** Selects the runs that test whether a seed determines everything. */
import { findScenario, scenarios } from '../library.ts';
import type { Scenario, ScenarioProfile } from '../scenario.ts';
import { chance } from './chance.ts';

interface SeedCase {
  readonly seed: number;
  readonly scenario: Scenario;
  readonly profile: ScenarioProfile;
}

/** Every tenth seed plays the scenario with the most randomness. */
const share = 10;

/** Returns a hundred seeds that cycle through all scenarios of the library and their profiles. */
export function seedCases(): readonly SeedCase[] {
  return Array.from({ length: 100 }, (_, index) => {
    const seed = index + 1;
    const turn = index - Math.floor(index / share);
    const scenario = seed % share === 0 ? chance : scenarios[turn % scenarios.length];
    const profile = scenario?.profiles[Math.floor(index / share) % scenario.profiles.length];
    if (!scenario || !profile) throw new Error('there is no scenario to play');
    return { seed, scenario, profile };
  });
}

/** Returns the scenario with that id from {@link seedCases} or the library. */
export const findPlayed = (id: string): Scenario | undefined => (id === chance.id ? chance : findScenario(id));
