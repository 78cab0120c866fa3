/** Loads the scenarios, recordings and points to which lessons may refer, and plays the runs of their scenes. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pointSources } from '@podscope/debugger/point-sources';
import { type Exercise, type Known, knownReferences, type Lesson, type Run, type Scene } from '@podscope/lessons';
import { findScenario, readOwnScenario, type Scenario, scenarios } from '@podscope/scenarios';
import { playThrough } from '@podscope/scenarios/whole-run';
import { recordingsDirectory } from '@podscope/server/repository';
import { instant } from '@podscope/trace';
import { bytesOf, type LoadedTraceFile, loadTraceFile } from '@podscope/trace/file';

const recordingEnding = '.podscope';

export interface References {
  readonly known: Known;
  /** Returns the whole run of a lesson's scene; undefined for an unknown or invalid scene. */
  readonly runOf: (lesson: Lesson, scene: Scene) => Promise<Run | undefined>;
  /** Returns a scenario of the lesson or the library; undefined for an unknown or invalid scenario. */
  readonly scenarioOf: (lesson: Lesson, id: string) => Scenario | undefined;
  /** Plays the attempt of an exercise. */
  readonly play: (attempt: Scenario, options: Pick<Exercise, 'profile' | 'seed'>) => Promise<Run>;
}

async function recordingsOf(): Promise<ReadonlyMap<string, LoadedTraceFile>> {
  const names = await readdir(recordingsDirectory).catch((): string[] => []);
  const files = names.filter((name) => name.endsWith(recordingEnding));
  return new Map(
    await Promise.all(
      files.map(async (name) => {
        const bytes = await readFile(join(recordingsDirectory, name));
        return [
          name.slice(0, -recordingEnding.length),
          await loadTraceFile(bytesOf(new Blob([bytes]).stream())),
        ] as const;
      }),
    ),
  );
}

function scenarioOf({ scenarios: own }: Lesson, id: string): Scenario | undefined {
  const brought = own.find((each) => each.id === id);
  return brought ? readOwnScenario(brought.value).scenario : findScenario(id);
}

/** Loads the scenarios, recordings and points. A run is played when it is first needed, and only once. */
export async function loadReferences(): Promise<References> {
  const recordings = await recordingsOf();
  const runs = new Map<string, Promise<Run>>();
  return {
    known: knownReferences({
      scenarios,
      recordings,
      points: Object.keys(pointSources.points),
      readScenario: readOwnScenario,
    }),
    runOf: async (lesson, { scenario: id = '', recording, profile, seed }) => {
      if (recording !== undefined) {
        const events = recordings.get(recording)?.events;
        return events && { begin: instant(events[0]?.time ?? 0), events };
      }
      const scenario = scenarioOf(lesson, id);
      if (!scenario) return undefined;
      const key = JSON.stringify([scenario, profile, seed]);
      const run = runs.get(key) ?? playThrough(scenario, profile, seed);
      runs.set(key, run);
      return run;
    },
    scenarioOf,
    play: (attempt, { profile, seed }) => playThrough(attempt, profile, seed),
  };
}
