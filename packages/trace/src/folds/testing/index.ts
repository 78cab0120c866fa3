/** Provides event logs for tests. */
export { EventScript } from './event-script.ts';
export { longRun } from './long-run.ts';
export { crashLoop, crashLoopPod } from './stories.ts';
