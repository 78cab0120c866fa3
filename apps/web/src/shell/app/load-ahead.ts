/** Loads what every pod shows while the page has nothing else to do. */
import { Inspector } from '../../features/inspector/index.ts';
import { StepsTab, StepTree } from '../../features/steps/index.ts';
import { LazyCauses } from '../../features/why/index.ts';

/** Returns a function that cancels it. A part that fails to load is loaded again when it is shown. */
export function loadAhead(): () => void {
  const load = (): void =>
    void Promise.allSettled([Inspector, StepsTab, StepTree, LazyCauses].map((part) => part.load()));
  // Safari has no idle callbacks.
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(load, 500);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(load, { timeout: 2_000 });
  return () => cancelIdleCallback(handle);
}
