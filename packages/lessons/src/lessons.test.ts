/** Every lesson is played on the simulator: its questions have one right answer each, and what it says is true. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { criPoints } from '@podscope/cri';
import { kuberuntimePoints, syncPodStepsV136 } from '@podscope/kuberuntime';
import { type ScenarioProfile, scenarios } from '@podscope/scenarios';
import { type PlayThrough, playThrough } from '@podscope/scenarios/testing';
import { simulatorPoints } from '@podscope/simulator';
import { instant, type TraceEvent } from '@podscope/trace';
import { bytesOf, type LoadedTraceFile, loadTraceFile } from '@podscope/trace/file';
import { describe, expect, it } from 'vitest';
import {
  claimHolds,
  formatLessonProblem,
  type Known,
  knownRecording,
  type Lesson,
  type LessonStep,
  parseLesson,
  rightOption,
  translateLesson,
  validateLesson,
} from './index.ts';

const directory = join(import.meta.dirname, '../lessons');
const filesOf = (language: string): readonly string[] => readdirSync(join(directory, language)).toSorted();

function read(language: string, file: string): Lesson {
  const { lesson, problems } = parseLesson(readFileSync(join(directory, language, file), 'utf8'));
  if (!lesson) throw new Error(problems.map((problem) => formatLessonProblem(problem, `${language}/${file}`)).join('\n'));
  return lesson;
}

const recordingsFolder = join(import.meta.dirname, '../recordings');
const recordings = new Map<string, LoadedTraceFile>();
for (const file of readdirSync(recordingsFolder)) {
  const recording = await loadTraceFile(bytesOf(new Blob([readFileSync(join(recordingsFolder, file))]).stream()));
  recordings.set(file.replace(/\.podscope$/, ''), recording);
}
const pointsOf = (events: readonly TraceEvent[]): readonly string[] => events.flatMap((event) => (event.type === 'spanStarted' ? [event.point] : []));

const plays = new Map<string, Promise<PlayThrough>>();

/** A scenario from beginning to end; once for all steps that are about it. */
async function played(id: string, profile: ScenarioProfile = 'v1.36', seed?: number | string): Promise<PlayThrough> {
  const scenario = scenarios.find((each) => each.id === id);
  if (!scenario) throw new Error(`there is no scenario ${id}`);
  const key = `${id} ${profile} ${seed ?? ''}`;
  const playing = plays.get(key) ?? playThrough(scenario, profile, seed);
  plays.set(key, playing);
  return playing;
}

const known: Known = {
  scenarios: new Map(scenarios.map((scenario) => [scenario.id, scenario])),
  recordings: new Map(Array.from(recordings, ([id, recording]) => [id, knownRecording(recording)])),
  points: new Set([
    ...[...Object.values(criPoints), ...Object.values(kuberuntimePoints), ...Object.values(syncPodStepsV136), ...simulatorPoints].map(({ id }) => id),
    // Those of the kubelet and of dockershim as runs have them.
    ...[...recordings.values(), await played('liveness-flapping')].flatMap(({ events }) => pointsOf(events)),
  ]),
};

async function playOf({ scenario = '', recording, profile, seed }: NonNullable<LessonStep['scene']>): Promise<PlayThrough> {
  if (recording === undefined) return played(scenario, profile, seed);
  const events = recordings.get(recording)?.events ?? [];
  return { begin: instant(events[0]?.time ?? 0), events };
}

/** The run a step is about, as far as `seconds`. */
async function playTo(scene: NonNullable<LessonStep['scene']>, seconds: number): Promise<PlayThrough> {
  const { begin, events } = await playOf(scene);
  return { begin, events: events.filter(({ time }) => time <= begin + seconds * 1_000) };
}

const files = filesOf('en');
const lessons = files.map((file) => read('en', file));

describe.each(lessons)('$id', (lesson) => {
  it('names only what there is', () => {
    expect(validateLesson(lesson, known)).toEqual([]);
    expect(files).toContain(`${lesson.id}.md`);
  });

  it.each(lesson.steps)('$id is true', { timeout: 30_000 }, async ({ scene, question }) => {
    if (!scene) return;
    const run = await playTo(scene, scene.until ?? scene.at);
    expect((scene.expect ?? []).filter((claim) => !claimHolds(claim, run))).toEqual([]);
    if (!question) return;
    // Whatever is right, one option is, and only one.
    expect((scene.options ?? []).filter((claim) => claimHolds(claim, run))).toHaveLength(1);
    const right = rightOption(scene, run);
    expect(right).toBeDefined();
    // What was not to be expected is explained, each option by itself.
    expect(question.remarks.map((remark) => remark === undefined)).toEqual(question.options.map((_, index) => index === right));
    if (!scene.breakpoint) return;
    // It stops on its way, not before.
    const onItsWay = run.events.filter(({ time }) => time >= run.begin + scene.at * 1_000);
    expect(pointsOf(onItsWay)).toContain(scene.breakpoint.point);
  });

  it('is there in Chinese, with the same steps and as many options', () => {
    const { lesson: translated, problems } = translateLesson(lesson, read('zh-CN', `${lesson.id}.md`));
    expect(problems).toEqual([]);
    expect(translated?.language).toBe('zh-CN');
    for (const { title, body } of translated?.steps ?? []) expect(title + body).toMatch(/[\u4e00-\u9fff]/);
  });
});

it.each(Array.from(recordings))('shows in the recording %s nothing of the machine it was made on', (_, { header: { run }, events, report }) => {
  expect(report).toMatchObject({ complete: true });
  expect(run.nodeName).toBe('podscope');
  expect(JSON.stringify(events)).not.toMatch(/\/(?:tmp|home|root|Users|work)\//);
});

it('has at least ten lessons', () => {
  expect(lessons.length).toBeGreaterThanOrEqual(10);
  expect(filesOf('zh-CN')).toEqual(files);
});
