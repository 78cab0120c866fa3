/** Scenarios to play, and notes on the one in view. */
import { lazyPart } from '../../base/ui/lazy-part.tsx';

/** Resolves when the page has drawn the pod. The notes wait for this, because they load every scenario. */
const whenIdle = (): Promise<void> =>
  new Promise((done) => {
    // Safari doesn't have requestIdleCallback.
    if (typeof requestIdleCallback === 'function') requestIdleCallback(() => done(), { timeout: 1_000 });
    else setTimeout(done, 200);
  });

export const ScenarioNotes = lazyPart(async () => {
  await whenIdle();
  return import('./ScenarioNotes.tsx');
});
export const ScenariosDialog = lazyPart(() => import('./ScenariosDialog.tsx'));
