/** Loads the parts that every pod needs, while the page is idle. */
import { Inspector } from '../../features/inspector/index.ts';
import { StepsTab, StepTree } from '../../features/steps/index.ts';
import { LazyCauses } from '../../features/why/index.ts';

/** Starts loading. Returns a function that cancels it. If a part fails to load, it is loaded again when it is shown. */
export function loadAhead(): () => void {
  const load = (): void =>
    void Promise.allSettled([Inspector, StepsTab, StepTree, LazyCauses].map((part) => part.load()));
  // Safari doesn't have requestIdleCallback.
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(load, 500);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(load, { timeout: 2_000 });
  return () => cancelIdleCallback(handle);
}
