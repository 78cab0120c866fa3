/** Exports the container logs and the terminal. */
import { lazy } from 'react';

export { showLogs, showTerminal } from './log-target.ts';

export const LogsTab = lazy(() => import('./LogsTab.tsx'));
