/** Exports the dialog of scenarios, and the notes on the shown scenario. */
import { lazyPart } from '../../base/ui/lazy-part.tsx';

/**
 * Resolves when the browser is idle after the first drawing. The notes wait for this, because loading them loads every
 * scenario.
 */
const whenIdle = (): Promise<void> =>
  new Promise((done) => {
    // Safari doesn't have requestIdleCallback.
    if (typeof requestIdleCallback === 'function') requestIdleCallback(() => done(), { timeout: 1_000 });
    else setTimeout(done, 200);
  });

export { playScenario, scenarioLink } from './play-scenario.ts';

export const ScenarioNotes = lazyPart(async () => {
  await whenIdle();
  return import('./ScenarioNotes.tsx');
});
export const ScenariosDialog = lazyPart(() => import('./ScenariosDialog.tsx'));
