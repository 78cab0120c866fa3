/** Where a scenario plays: this page with an engine of its own. */

/** The profile that a scenario plays in when an address names none. */
const usualProfile = 'v1.36';

export interface ScenarioView {
  /** Played in the other release too, and laid beside it. */
  readonly compare?: boolean;
}

export const scenarioAddress = (id: string, profile: string = usualProfile, { compare = false }: ScenarioView = {}): string =>
  `${location.pathname}?scenario=${id}${profile === usualProfile ? '' : `&profile=${profile}`}${compare ? '&tab=compare&beside=other' : ''}`;
