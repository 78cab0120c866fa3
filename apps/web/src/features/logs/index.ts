/** Exports the container logs and the terminal. */
import { lazyPart } from '../../base/ui/lazy-part.tsx';

export { showLogs, showTerminal } from './log-target.ts';

export const LogsTab = lazyPart(() => import('./LogsTab.tsx'));
