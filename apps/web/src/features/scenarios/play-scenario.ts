/** Plays a scenario of the library: in a new page, or in the open page while it takes part in a class. */
import type { ScenarioProfile } from '@podscope/scenarios';
import { addressedClass, goTo, scenarioAddress } from '../../node/address/address.ts';
import { useView } from '../../node/address/view-store.ts';
import { openLocalRun } from '../../node/run/open-node.ts';
import { closeDialog, useInterface } from '../../node/view/interface.ts';
import { leaveLesson } from '../lessons/index.ts';

interface PlayOptions {
  /** True to compare the run with the other release. */
  readonly compare?: boolean;
}

/**
 * Plays a scenario. A page in a class stays loaded, because loading another address would leave the class or repeat its
 * last task.
 */
export async function playScenario(
  id: string,
  profile: ScenarioProfile | undefined,
  { compare = false }: PlayOptions = {},
): Promise<void> {
  if (addressedClass === undefined) {
    goTo(scenarioAddress(id, profile, { compare }));
    return;
  }
  closeDialog();
  await leaveLesson();
  openLocalRun({ scenario: id, ...(profile === undefined ? {} : { profile }) });
  if (!compare) return;
  useInterface.setState({ wantsOtherRelease: true });
  useView.getState().show({ tab: 'compare' });
}

interface LinkEvent {
  preventDefault(): void;
}

/** Returns the properties of a link that plays a scenario. */
export const scenarioLink = (
  id: string,
  profile: ScenarioProfile | undefined,
  options: PlayOptions = {},
): { readonly href: string; readonly onClick: (event: LinkEvent) => void } => ({
  href: scenarioAddress(id, profile, options),
  onClick: (event) => {
    // Outside a class the browser follows the link itself, for example in a new tab.
    if (addressedClass === undefined) return;
    event.preventDefault();
    void playScenario(id, profile, options);
  },
});
