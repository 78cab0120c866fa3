/** What a lesson may say of a recorded run. */
import type { LoadedTraceFile } from '@podscope/trace/file';
import type { KnownScene } from './validate-lesson.ts';

/** A recording among what lessons may name. */
export const knownRecording = ({ header: { run }, events }: Pick<LoadedTraceFile, 'header' | 'events'>): KnownScene => ({
  profiles: [run.profile],
  duration: ((events.at(-1)?.time ?? 0) - (events[0]?.time ?? 0)) / 1_000,
  manifest: JSON.stringify(events.flatMap((event) => (event.type === 'podChanged' ? [event.object] : []))),
});
