/** Checks the lesson that is being written on the runs of its scenes, as its author types. */
import { isRecord } from '@podscope/base';
import {
  checkExercise,
  checkStep,
  claimHolds,
  formatLesson,
  type Known,
  type LessonDraft,
  type LessonProblem,
  type LessonStep,
  noTexts,
  type Problem,
  parseLesson,
  type Run,
  readClaim,
  type Scene,
  translateLesson,
  validateLesson,
} from '@podscope/lessons';
import { instant } from '@podscope/trace';
import { lessonRecording, lessonReferences } from '../../lessons/index.ts';
import { attemptPlayer, checkExerciseDraft, type ExerciseCheck, exerciseScenario } from './check-exercise-draft.ts';
import { type PlayRun, playRun } from './play-run.ts';

/** Returns the whole run of a scene; undefined if the scene can't be played. */
async function runOf(
  scenarios: readonly unknown[],
  scene: Scene,
  known: Known,
  playRun: PlayRun,
): Promise<Run | undefined> {
  if (scene.recording !== undefined) {
    const { events } = await lessonRecording(scene.recording);
    return { begin: instant(events[0]?.time ?? 0), events };
  }
  const { scenario: id = '' } = scene;
  const own = scenarios.find((value) => isRecord(value) && value['id'] === id);
  const duration = (own === undefined ? known.scenarios.get(id) : known.readScenario(own).scenario)?.duration;
  return duration === undefined ? undefined : playRun(isRecord(own) ? own : id, scene, duration);
}

/** The state of an option: whether its claim holds, or the problem of the claim. */
export type OptionCheck = { readonly holds: boolean } | { readonly problem: Problem };

/** A problem of a file of the draft. */
interface FileProblem {
  readonly file: string;
  readonly problem: LessonProblem;
}

export interface DraftCheck {
  readonly problems: readonly FileProblem[];
  /** For each step, the results of its options. */
  readonly options: readonly (readonly OptionCheck[])[];
  /** For each step, the result of its exercise; undefined for a step without an exercise. */
  readonly exercises: readonly (ExerciseCheck | undefined)[];
  /** For each step, the run of its scene. */
  readonly runs: readonly (Run | undefined)[];
}

/** The names of the saved files. */
export const fileNames = ({ id }: LessonDraft) => ({ en: `${id}.md`, 'zh-CN': `${id}.zh-CN.md` }) as const;

/** Returns true if the draft has a Chinese text. */
export const hasTranslation = ({ heads, steps }: LessonDraft): boolean =>
  heads['zh-CN'].title !== '' || steps.some(({ texts }) => texts['zh-CN'].title !== '' || texts['zh-CN'].body !== '');

/** Returns the scene of a step, even if the texts of the step have problems. */
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
  const read = readClaim(text);
  if (read.problem !== undefined) return { problem: read.problem };
  if (!run) return { holds: false };
  const until = run.begin + (scene.until ?? scene.at) * 1_000;
  return {
    holds: claimHolds(read.value, { begin: run.begin, events: run.events.filter(({ time }) => time <= until) }),
  };
}

/** Provides the scenarios, points and runs to which a draft refers. */
interface CheckSources {
  readonly references: () => Promise<Known>;
  readonly playRun: PlayRun;
}

const pageSources: CheckSources = { references: lessonReferences, playRun };

/**
 * Checks the lesson files of a draft in both languages. Evaluates the claims of answer options on the runs of their
 * scenes, and the goals of exercises on attempts.
 */
export async function checkDraft(
  draft: LessonDraft,
  { references, playRun }: CheckSources = pageSources,
): Promise<DraftCheck> {
  const known = await references();
  const names = fileNames(draft);
  const { lesson, problems } = parseLesson(formatLesson(draft, 'en'));
  const found: FileProblem[] = [];
  const report = (file: string, problems: readonly LessonProblem[]): void =>
    void found.push(...problems.map((problem) => ({ file, problem })));
  report(names.en, problems);
  const scenes = draft.steps.map((_, index) => sceneOf(draft, index));
  const played = await Promise.all(
    scenes.map(async (scene) => scene && (await runOf(draft.scenarios, scene, known, playRun))),
  );
  const exercises = await Promise.all(
    draft.steps.map(
      async ({ exercise }) => exercise && (await checkExerciseDraft(draft.scenarios, exercise, known, playRun)),
    ),
  );
  if (lesson) {
    const references = validateLesson(lesson, known);
    report(names.en, references);
    if (references.length === 0)
      for (const [index, step] of lesson.steps.entries()) {
        const run = played[index];
        const { exercise } = step;
        const repaired = exercise && exerciseScenario(draft.scenarios, exercise.scenario);
        if (run) report(names.en, checkStep(step, run));
        if (repaired) report(names.en, await checkExercise(step, repaired, attemptPlayer(exercise, playRun)));
      }
  }
  if (hasTranslation(draft)) {
    const translation = parseLesson(formatLesson(draft, 'zh-CN'));
    const differences =
      lesson && translation.lesson ? translateLesson(lesson, translation.lesson).problems : translation.problems;
    report(names['zh-CN'], differences);
  }
  return {
    problems: found,
    options: draft.steps.map(({ scene }, index) => {
      const read = scenes[index];
      return read ? (scene?.claims ?? []).map((claim) => checkClaim(claim, read, played[index])) : [];
    }),
    exercises,
    runs: played,
  };
}
