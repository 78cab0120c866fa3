/** Loads the components and the font that every pod and every stop needs, while the page is idle. */
import { loadFailedEvent } from '../../base/load-again.ts';
import { StopPanel } from '../../features/debug/index.ts';
import { Inspector } from '../../features/inspector/index.ts';
import { StepsTab, StepTree } from '../../features/steps/index.ts';
import { LazyCauses } from '../../features/why/index.ts';

/**
 * Keeps `load-again.js` from reloading the page after a failed load. A reload would lose the run of a node in the page.
 */
const ignore = (event: Event): void => event.stopImmediatePropagation();

/**
 * Loads the monospaced font. A font that is first used together with a pod's run would be drawn after a substitute, so
 * the whole page would be laid out twice.
 */
function loadMonospaced(): void {
  const family = getComputedStyle(document.documentElement).getPropertyValue('--mono');
  void document.fonts.load(`1em ${family}`).catch(() => undefined);
}

async function loadParts(): Promise<void> {
  addEventListener(loadFailedEvent, ignore, true);
  await Promise.allSettled([Inspector, StepsTab, StepTree, LazyCauses, StopPanel].map((part) => part.load()));
  removeEventListener(loadFailedEvent, ignore, true);
}

/** Starts loading. Returns a function that cancels it. If a part fails to load, it is loaded again when it is shown. */
export function loadAhead(): () => void {
  const load = (): void => {
    loadMonospaced();
    void loadParts();
  };
  // Safari doesn't have requestIdleCallback.
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(load, 500);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(load, { timeout: 2_000 });
  return () => cancelIdleCallback(handle);
}
