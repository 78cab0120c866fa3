/** What is played to see that a seed decides everything. */
import { findScenario, scenarios } from '../library.ts';
import type { Scenario, ScenarioProfile } from '../scenario.ts';
import { chance } from './chance.ts';

interface SeedCase {
  readonly seed: number;
  readonly scenario: Scenario;
  readonly profile: ScenarioProfile;
}

/** Every tenth seed plays where chance decides most. */
const share = 10;

/** A hundred seeds. The library takes turns at them, its longest scenarios too, and the releases that each of them is for. */
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

/** A scenario that {@link seedCases} or the library has. */
export const findPlayed = (id: string): Scenario | undefined => (id === chance.id ? chance : findScenario(id));
