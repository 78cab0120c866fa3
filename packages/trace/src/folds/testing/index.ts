/** Event logs for tests. */
export { EventScript } from './event-script.ts';
export { crashLoop, crashLoopPod } from './stories.ts';
