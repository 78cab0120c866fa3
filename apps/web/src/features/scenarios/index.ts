/** Scenarios to play, and notes on the one in view. */
import { lazy } from 'react';

/** Waits until the page has drawn the pod: the notes load every scenario. */
const whenIdle = (): Promise<void> =>
  new Promise((done) => {
    // Safari has no idle callbacks.
    if (typeof requestIdleCallback === 'function') requestIdleCallback(() => done(), { timeout: 1_000 });
    else setTimeout(done, 200);
  });

export const ScenarioNotes = lazy(async () => {
  await whenIdle();
  return import('./ScenarioNotes.tsx');
});
export const ScenariosDialog = lazy(() => import('./ScenariosDialog.tsx'));
