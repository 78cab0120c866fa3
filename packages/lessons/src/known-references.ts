/** Combines everything that lessons may refer to, for the validation of their references. */
import type { LoadedTraceFile } from '@podscope/trace/file';
import type { Known, KnownScene } from './known.ts';

type Recording = Pick<LoadedTraceFile, 'header' | 'events'>;

/** The scenarios, recordings and points that lessons may refer to. */
export interface ReferenceSources {
  readonly scenarios: readonly (KnownScene & { readonly id: string })[];
  /** The recorded runs by id. */
  readonly recordings: Iterable<readonly [id: string, recording: Recording]>;
  /** The ids of the points. */
  readonly points: Iterable<string>;
  readonly readScenario: Known['readScenario'];
}

/** Returns the profile, duration and manifest of a recording. */
const knownRecording = ({ header: { run }, events }: Recording): KnownScene => ({
  profiles: [run.profile],
  duration: ((events.at(-1)?.time ?? 0) - (events[0]?.time ?? 0)) / 1_000,
  manifest: JSON.stringify(events.flatMap((event) => (event.type === 'podChanged' ? [event.object] : []))),
});

/** Returns everything that lessons may refer to. */
export const knownReferences = ({ scenarios, recordings, points, readScenario }: ReferenceSources): Known => ({
  scenarios: new Map(scenarios.map((scenario) => [scenario.id, scenario])),
  recordings: new Map(Array.from(recordings, ([id, recording]) => [id, knownRecording(recording)])),
  points: new Set(points),
  readScenario,
});
