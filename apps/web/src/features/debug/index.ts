/** Exports the debugger's components: breakpoints, stepping, and the panel of a stopped pod. */
import { lazyPart } from '../../base/ui/lazy-part.tsx';

export { describeTarget } from './breakpoints/describe-breakpoint.ts';
export { DebugBar } from './DebugBar.tsx';
export { debugMessages } from './messages.en.ts';
export { StepBreakpoint } from './StepBreakpoint.tsx';

export const BreakpointsDialog = lazyPart(() => import('./breakpoints/BreakpointsDialog.tsx'));
export const InterveneDialog = lazyPart(() => import('./intervene/InterveneDialog.tsx'));
export const LinkedBreakpoints = lazyPart(() => import('./breakpoints/LinkedBreakpoints.tsx'));
export const StopPanel = lazyPart(() => import('./stop/StopDetails.tsx'));
