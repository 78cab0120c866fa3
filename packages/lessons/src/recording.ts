/** Describes a recorded run for the validation of lessons. */
import type { LoadedTraceFile } from '@podscope/trace/file';
import type { KnownScene } from './known.ts';

/** Returns the profile, duration and manifest of a recording, so that references from lessons can be checked. */
export const knownRecording = ({
  header: { run },
  events,
}: Pick<LoadedTraceFile, 'header' | 'events'>): KnownScene => ({
  profiles: [run.profile],
  duration: ((events.at(-1)?.time ?? 0) - (events[0]?.time ?? 0)) / 1_000,
  manifest: JSON.stringify(events.flatMap((event) => (event.type === 'podChanged' ? [event.object] : []))),
});
