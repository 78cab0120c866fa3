/** What is played to see that a seed decides everything. */
import { scenarios } from '../library.ts';
import type { Scenario, ScenarioProfile } from '../scenario.ts';

interface SeedCase {
  readonly seed: number;
  readonly scenario: Scenario;
  readonly profile: ScenarioProfile;
}

/** Seconds of virtual time: longer scenarios would take most of the time, and draw on the same chance. */
const longest = 40;

/** A hundred seeds, which take turns at the short scenarios and at the releases that these are for. */
export function seedCases(): readonly SeedCase[] {
  const short = scenarios.filter(({ duration }) => duration <= longest);
  return Array.from({ length: 100 }, (_, index) => {
    const seed = index + 1;
    const scenario = short[seed % short.length];
    const profile = scenario?.profiles[seed % scenario.profiles.length];
    if (!scenario || !profile) throw new Error('there is no scenario to play');
    return { seed, scenario, profile };
  });
}
