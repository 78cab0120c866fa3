/** Exports the debugger's components: breakpoints, stepping, and the panel of a stopped pod. */
import { lazy } from 'react';

export { describeTarget } from './breakpoints/describe-breakpoint.ts';
export { DebugBar } from './DebugBar.tsx';
export { debugMessages } from './messages.en.ts';
export { StepBreakpoint } from './StepBreakpoint.tsx';
export { StopPanel } from './StopPanel.tsx';

export const BreakpointsDialog = lazy(() => import('./breakpoints/BreakpointsDialog.tsx'));
export const InterveneDialog = lazy(() => import('./intervene/InterveneDialog.tsx'));
export const LinkedBreakpoints = lazy(() => import('./breakpoints/LinkedBreakpoints.tsx'));
