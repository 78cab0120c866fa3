/** Loads what every pod shows while the page has nothing else to do. */
import { loadInspector } from '../../features/inspector/index.ts';
import { loadSteps } from '../../features/steps/index.ts';
import { loadCauses } from '../../features/why/index.ts';

/** Returns a function that cancels it. A part that fails to load is loaded again when it is shown. */
export function loadAhead(): () => void {
  const load = (): void => void Promise.allSettled([loadInspector(), loadSteps(), loadCauses()]);
  // Safari has no idle callbacks.
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(load, 500);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(load, { timeout: 2_000 });
  return () => cancelIdleCallback(handle);
}
