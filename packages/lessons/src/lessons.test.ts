/**
 * Plays every lesson on the simulator: each question has exactly one right answer, and the lesson's claims are true.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stepIDs } from '@podscope/flow';
import { findScenario, readOwnScenario, type Scenario, type ScenarioProfile, scenarios } from '@podscope/scenarios';
import { type PlayThrough, playThrough } from '@podscope/scenarios/whole-run';
import { instant, type TraceEvent } from '@podscope/trace';
import { bytesOf, type LoadedTraceFile, loadTraceFile } from '@podscope/trace/file';
import { describe, expect, it } from 'vitest';
import {
  checkExercise,
  checkStep,
  formatLessonProblem,
  knownReferences,
  type Lesson,
  type LessonStep,
  parseLesson,
  translateLesson,
  validateLesson,
} from './index.ts';

const directory = join(import.meta.dirname, '../lessons');
const filesOf = (language: string): readonly string[] => readdirSync(join(directory, language)).toSorted();

function read(language: string, file: string): Lesson {
  const { lesson, problems } = parseLesson(readFileSync(join(directory, language, file), 'utf8'));
  if (!lesson)
    throw new Error(problems.map((problem) => formatLessonProblem(problem, `${language}/${file}`)).join('\n'));
  return lesson;
}

const recordingsFolder = join(import.meta.dirname, '../recordings');
const recordings = new Map<string, LoadedTraceFile>();
for (const file of readdirSync(recordingsFolder)) {
  const recording = await loadTraceFile(bytesOf(new Blob([readFileSync(join(recordingsFolder, file))]).stream()));
  recordings.set(file.replace(/\.podscope$/, ''), recording);
}
const pointsOf = (events: readonly TraceEvent[]): readonly string[] =>
  events.flatMap((event) => (event.type === 'spanStarted' ? [event.point] : []));

const plays = new Map<string, Promise<PlayThrough>>();

/** Returns a scenario of a lesson or of the library. */
function scenarioOf(id: string, lesson?: Lesson): Scenario {
  const own = lesson?.scenarios.find((each) => each.id === id);
  const scenario = own ? readOwnScenario(own.value).scenario : findScenario(id);
  if (!scenario) throw new Error(`there is no scenario ${id}`);
  return scenario;
}

/** Plays a scenario from start to end, once for all steps that use it. */
async function played(
  scenario: Scenario,
  profile: ScenarioProfile = 'v1.36',
  seed?: number | string,
): Promise<PlayThrough> {
  const key = `${scenario.id} ${profile} ${seed ?? ''}`;
  const playing = plays.get(key) ?? playThrough(scenario, profile, seed);
  plays.set(key, playing);
  return playing;
}

const known = knownReferences({
  scenarios,
  recordings,
  points: [
    ...stepIDs({ release: 'v1.36', runtime: 'simulated' }),
    ...stepIDs({ release: 'v1.36', runtime: 'docker' }),
    ...stepIDs({ release: 'v1.20', runtime: 'docker' }),
    // These points occur in real runs but belong to no level of the flow.
    ...[...recordings.values(), await played(scenarioOf('liveness-flapping'))].flatMap(({ events }) =>
      pointsOf(events),
    ),
  ],
  readScenario: readOwnScenario,
});

async function playOf(
  lesson: Lesson,
  { scenario = '', recording, profile, seed }: NonNullable<LessonStep['scene']>,
): Promise<PlayThrough> {
  if (recording === undefined) return played(scenarioOf(scenario, lesson), profile, seed);
  const events = recordings.get(recording)?.events ?? [];
  return { begin: instant(events[0]?.time ?? 0), events };
}

const files = filesOf('en');
const lessons = files.map((file) => read('en', file));

describe.each(lessons)('$id', (lesson) => {
  it('refers only to existing scenarios, points and containers', () => {
    expect(validateLesson(lesson, known)).toEqual([]);
    expect(files).toContain(`${lesson.id}.md`);
  });

  const played = lesson.steps.flatMap((step) => (step.scene ? [{ id: step.id, step, scene: step.scene }] : []));
  it.each(played)('the claims of $id hold in its run', async ({ step, scene }) => {
    expect(checkStep(step, await playOf(lesson, scene))).toEqual([]);
  });

  const exercises = lesson.steps.flatMap((step) => (step.exercise ? [{ ...step, exercise: step.exercise }] : []));
  it.each(exercises)('$id is not solved by its manifest, but by its solution', async (step) => {
    const { profile, seed, scenario } = step.exercise;
    const problems = await checkExercise(step, scenarioOf(scenario, lesson), (each) =>
      playThrough(each, profile, seed),
    );
    expect(problems).toEqual([]);
    expect(step.task?.hints.length).toBeGreaterThan(0);
  });

  it.each(['en', 'zh-CN'])('has no Markdown in the questions and options of %s, which are plain text', (language) => {
    const texts = read(language, `${lesson.id}.md`).steps.flatMap(({ question }) =>
      question ? [question.text, ...question.options] : [],
    );
    expect(texts.filter((text) => /`|\*\*|\]\(/.test(text))).toEqual([]);
  });

  it('has a Chinese translation with the same steps and options', () => {
    const { lesson: translated, problems } = translateLesson(lesson, read('zh-CN', `${lesson.id}.md`));
    expect(problems).toEqual([]);
    expect(translated?.language).toBe('zh-CN');
    for (const { title, body } of translated?.steps ?? []) expect(title + body).toMatch(/[\u4e00-\u9fff]/);
  });
});

it.each(Array.from(recordings))(
  'recording %s contains no trace of the machine that recorded it',
  (_, { header: { run }, events, report }) => {
    expect(report).toMatchObject({ complete: true });
    expect(run.nodeName).toBe('podscope');
    expect(JSON.stringify(events)).not.toMatch(/\/(?:tmp|home|root|Users|work)\//);
  },
);

it('includes at least ten lessons, each in both languages', () => {
  expect(lessons.length).toBeGreaterThanOrEqual(10);
  expect(filesOf('zh-CN')).toEqual(files);
});
