/**
 * Plays the runs that decide questions and exercises, with the same engine that runs in the learners' browsers. The
 * same scenario, seed and profile produce the same run on both sides.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { actualAnswer, askedIn, judgingTime, type Question } from '@podscope/classroom';
import { attemptScenario, goalsMet, type Lesson, type LessonStep, parseLesson, rightOption } from '@podscope/lessons';
import { Simulation } from '@podscope/node/virtual';
import {
  beginScenario,
  findScenario,
  readOwnScenario,
  type Scenario,
  type ScenarioProfile,
  simulationOptionsOf,
} from '@podscope/scenarios';
import { type Instant, instant, type TraceEvent } from '@podscope/trace';
import { bytesOf, loadTraceFile } from '@podscope/trace/file';
import { lessonsDirectory, recordingsDirectory } from '../../repository.ts';
import type { JudgeRequest, JudgeResult, StepRequest } from './judge-request.ts';

/** Ids become parts of file names, so ids of any other form are rejected. */
const idPattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

const unknown: JudgeResult = { kind: 'unknown' };

interface StartedRun {
  readonly simulation: Simulation;
  /** The time at which the manifest was applied. */
  readonly begin: Instant;
}

/** Starts a scenario, passes its run to `use`, and stops the scenario when `use` has ended. */
async function withRun<Result>(
  scenario: Scenario,
  { profile, seed }: { readonly profile: ScenarioProfile; readonly seed?: number | string | undefined },
  use: (run: StartedRun) => Promise<Result>,
): Promise<Result> {
  const simulation = new Simulation({
    ...simulationOptionsOf(scenario, profile),
    ...(seed === undefined ? {} : { seed }),
  });
  await simulation.start();
  try {
    const begin = simulation.clock.now();
    await beginScenario(scenario, simulation);
    return await use({ simulation, begin });
  } finally {
    await simulation.stop();
  }
}

/** Returns the UID of the newest pod with this `namespace/name`; undefined if no pod had it. */
function podOf(events: readonly TraceEvent[], name: string | undefined): string | undefined {
  const added = events.findLast((event) => {
    if (event.type !== 'podChanged' || event.operation !== 'ADDED') return false;
    const { metadata } = event.object as {
      readonly metadata?: { readonly name?: string; readonly namespace?: string };
    };
    return `${metadata?.namespace ?? 'default'}/${metadata?.name}` === name;
  });
  return added?.pod;
}

/** Plays the scene of a question and continues the run until it decides the answer. */
async function judgeQuestion(question: Question): Promise<JudgeResult> {
  const { scene, kind } = question;
  const scenario = scene && findScenario(scene.scenario);
  if (!scenario) return unknown;
  return withRun(scenario, scene, async ({ simulation: { clock, nodeHost } }) => {
    await clock.advance(scene.at * 1_000);
    const events = nodeHost.log.after(0);
    const asked = askedIn(question, { events, now: clock.now(), pod: podOf(events, question.pod) });
    const { step, longest } = judgingTime[kind];
    for (let passed = 0; passed < longest; passed += step) {
      const actual = actualAnswer(asked, { events: nodeHost.log.after(asked.seq) });
      if (actual !== undefined) return { kind: 'answer', actual };
      await clock.advance(step);
    }
    return { kind: 'answer', actual: undefined };
  });
}

/** Returns the text of a lesson of the library; empty if there is no such lesson. */
async function libraryText(lesson: string): Promise<string> {
  if (!idPattern.test(lesson)) return '';
  return readFile(join(lessonsDirectory, 'en', `${lesson}.md`), 'utf8').catch(() => '');
}

async function lessonStep(
  request: StepRequest,
): Promise<{ readonly lesson: Lesson; readonly step: LessonStep } | undefined> {
  const read = parseLesson(request.text ?? (await libraryText(request.lesson))).lesson;
  const step = read?.steps.find((each) => each.id === request.step);
  return read && step && { lesson: read, step };
}

function scenarioOf({ scenarios }: Lesson, id: string): Scenario | undefined {
  const own = scenarios.find((each) => each.id === id);
  return own ? readOwnScenario(own.value).scenario : findScenario(id);
}

/** Returns the events of a recorded run; undefined if the recording doesn't exist. */
async function recordedEvents(id: string): Promise<readonly TraceEvent[] | undefined> {
  if (!idPattern.test(id)) return undefined;
  const bytes = await readFile(join(recordingsDirectory, `${id}.podscope`)).catch(() => undefined);
  return bytes && (await loadTraceFile(bytesOf(new Blob([new Uint8Array(bytes)]).stream()))).events;
}

/** Plays the scene of a step up to its end, and returns the option whose claim holds. */
async function judgeStep({ lesson, step: { scene } }: { lesson: Lesson; step: LessonStep }): Promise<JudgeResult> {
  if (!scene?.options) return unknown;
  const seconds = scene.until ?? scene.at;
  if (scene.recording !== undefined) {
    const events = await recordedEvents(scene.recording);
    if (!events) return unknown;
    const begin = instant(events[0]?.time ?? 0);
    const shown = events.filter(({ time }) => time <= begin + seconds * 1_000);
    return { kind: 'answer', actual: rightOption(scene, { begin, events: shown }) };
  }
  const scenario = scenarioOf(lesson, scene.scenario ?? '');
  if (!scenario) return unknown;
  return withRun(scenario, scene, async ({ simulation, begin }) => {
    await simulation.clock.advance(seconds * 1_000);
    return { kind: 'answer', actual: rightOption(scene, { begin, events: simulation.nodeHost.log.after(0) }) };
  });
}

/** Plays an attempt from the start of its scenario, and judges the goals of the exercise. */
async function judgeAttempt(
  { lesson, step: { exercise } }: { lesson: Lesson; step: LessonStep },
  manifest: string,
): Promise<JudgeResult> {
  const scenario = exercise && scenarioOf(lesson, exercise.scenario);
  if (!scenario) return unknown;
  const attempt = attemptScenario(scenario, exercise, manifest);
  return withRun(attempt, exercise, async ({ simulation, begin }) => {
    await simulation.clock.advance(attempt.duration * 1_000);
    const run = { begin: instant(begin + exercise.at * 1_000), events: simulation.nodeHost.log.after(0) };
    return { kind: 'goals', goals: goalsMet(exercise, run) };
  });
}

/** Plays the run of a request and judges it. @throws Error if the run can't be played */
export async function playRequest(request: JudgeRequest): Promise<JudgeResult> {
  if (request.kind === 'question') return judgeQuestion(request.question);
  const found = await lessonStep(request);
  if (!found) return unknown;
  return request.kind === 'lesson' ? judgeStep(found) : judgeAttempt(found, request.manifest);
}
