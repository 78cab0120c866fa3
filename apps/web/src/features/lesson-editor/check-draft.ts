/** Checks the lesson that is being written on the runs of its scenes, as its author types. */
import { isRecord } from '@podscope/base';
import {
  checkStep,
  claimHolds,
  formatLesson,
  formatLessonProblem,
  type Known,
  type LessonDraft,
  type LessonStep,
  noTexts,
  parseLesson,
  type Run,
  readClaim,
  type Scene,
  translateLesson,
  validateLesson,
} from '@podscope/lessons';
import { instant } from '@podscope/trace';
import { openSession } from '../../node/run/node-session.ts';
import { beginOf, live, pass } from '../../node/run/virtual-time.ts';
import { startLocalNode } from '../../node/standalone/local-node.ts';
import { lessonRecording, lessonReferences } from '../lessons/index.ts';

/** Runs by the options that reproduce them. */
const runs = new Map<string, Promise<Run>>();

/** Plays a scene to its end in an engine that isn't shown. */
async function playRun(scene: Scene, own: unknown, seconds: number): Promise<Run> {
  const { scenario, profile, seed } = scene;
  const played = own === undefined ? { scenario } : { ownScenario: own };
  const node = startLocalNode({ ...played, profile, paused: true, ...(seed === undefined ? {} : { seed }) });
  const session = openSession(node.open);
  try {
    await live(session);
    await pass(session, seconds * 1_000);
    return { begin: beginOf(session), events: [...session.run.history.events] };
  } finally {
    session.connection.close();
    node.close();
  }
}

/** Returns the whole run of a scene; undefined if it can't be played. */
async function runOf(scenarios: readonly unknown[], scene: Scene, known: Known): Promise<Run | undefined> {
  if (scene.recording !== undefined) {
    const { events } = await lessonRecording(scene.recording);
    return { begin: instant(events[0]?.time ?? 0), events };
  }
  const own = scenarios.find((value) => isRecord(value) && value['id'] === scene.scenario);
  const duration = (own === undefined ? known.scenarios.get(scene.scenario ?? '') : known.readScenario(own).scenario)
    ?.duration;
  if (duration === undefined) return undefined;
  const key = JSON.stringify([own ?? scene.scenario, scene.profile, scene.seed]);
  const run = runs.get(key) ?? playRun(scene, own, duration);
  runs.set(key, run);
  run.catch(() => runs.delete(key));
  return run;
}

/** The state of an option: whether its claim holds, or the problem of the claim. */
export type OptionCheck = { readonly holds: boolean } | { readonly problem: string };

export interface DraftCheck {
  /** The problems of the draft, each in the form `file:line: message`. */
  readonly problems: readonly string[];
  /** The options of each step. */
  readonly options: readonly (readonly OptionCheck[])[];
  /** The run of each step's scene. */
  readonly runs: readonly (Run | undefined)[];
}

/** The names of the saved files. */
export const fileNames = ({ id }: LessonDraft) => ({ en: `${id}.md`, 'zh-CN': `${id}.zh-CN.md` }) as const;

/** Returns true if the draft has a Chinese text. */
export const hasTranslation = ({ heads, steps }: LessonDraft): boolean =>
  heads['zh-CN'].title !== '' || steps.some(({ texts }) => texts['zh-CN'].title !== '' || texts['zh-CN'].body !== '');

/** Returns the scene of a step even while the texts have problems. */
function sceneOf(draft: LessonDraft, index: number): LessonStep['scene'] {
  const step = draft.steps[index];
  if (!step?.scene) return undefined;
  // Empty texts are reported separately, so the scene is read with placeholder texts.
  const texts = { ...noTexts, title: 'Step', body: 'Text.' };
  const alone: LessonDraft = {
    ...draft,
    heads: { ...draft.heads, en: { title: 'Lesson', summary: 'Summary.' } },
    steps: [{ ...step, scene: { ...step.scene, claims: [] }, texts: { ...step.texts, en: texts } }],
  };
  return parseLesson(formatLesson(alone, 'en')).lesson?.steps[0]?.scene;
}

function checkClaim(text: string, scene: Scene, run: Run | undefined): OptionCheck {
  const { claim, problem } = readClaim(text);
  if (!claim) return { problem: problem ?? '' };
  if (!run) return { holds: false };
  const until = run.begin + (scene.until ?? scene.at) * 1_000;
  return { holds: claimHolds(claim, { begin: run.begin, events: run.events.filter(({ time }) => time <= until) }) };
}

/**
 * Checks the lesson files of a draft in both languages, and evaluates the claims of answer options on the runs of their
 * scenes.
 */
export async function checkDraft(draft: LessonDraft): Promise<DraftCheck> {
  const known = await lessonReferences();
  const names = fileNames(draft);
  const { lesson, problems } = parseLesson(formatLesson(draft, 'en'));
  const found = problems.map((problem) => formatLessonProblem(problem, names.en));
  const scenes = draft.steps.map((_, index) => sceneOf(draft, index));
  const played = await Promise.all(scenes.map(async (scene) => scene && (await runOf(draft.scenarios, scene, known))));
  if (lesson) {
    const references = validateLesson(lesson, known);
    found.push(...references.map((problem) => formatLessonProblem(problem, names.en)));
    if (references.length === 0)
      for (const [index, step] of lesson.steps.entries()) {
        const run = played[index];
        if (run) found.push(...checkStep(step, run).map((problem) => formatLessonProblem(problem, names.en)));
      }
  }
  if (hasTranslation(draft)) {
    const translation = parseLesson(formatLesson(draft, 'zh-CN'));
    const differences =
      lesson && translation.lesson ? translateLesson(lesson, translation.lesson).problems : translation.problems;
    found.push(...differences.map((problem) => formatLessonProblem(problem, names['zh-CN'])));
  }
  return {
    problems: found,
    options: draft.steps.map(({ scene }, index) => {
      const read = scenes[index];
      return read ? (scene?.claims ?? []).map((claim) => checkClaim(claim, read, played[index])) : [];
    }),
    runs: played,
  };
}
