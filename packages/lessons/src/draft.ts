/**
 * Defines drafts of lessons in both languages. A draft is created from a lesson and formatted as the Markdown that the
 * parser reads.
 */
import { stringify } from 'yaml';
import type { z } from 'zod';
import {
  type Claim,
  claimSchema,
  type Exercise,
  type Goal,
  goalSchema,
  type Lesson,
  type LessonStep,
  type Scene,
} from './model.ts';
import { readYaml } from './parse/read-yaml.ts';
import { fieldOf, type Problem, problemOfIssue } from './problem.ts';

export const lessonLanguages = ['en', 'zh-CN'] as const;
export type LessonLanguage = (typeof lessonLanguages)[number];

/** The texts of a step in one language. Empty texts are omitted. */
export interface DraftTexts {
  readonly title: string;
  readonly body: string;
  readonly question: string;
  readonly options: readonly { readonly text: string; readonly remark: string }[];
  readonly explanation: string;
  /** The goals and hints of an exercise. */
  readonly goals: readonly string[];
  readonly hints: readonly string[];
  /** Notes for teachers. */
  readonly notes: string;
}

/** An exercise: its members except the goals, the YAML of each goal, and the manifest of the solution. */
export interface DraftExercise {
  readonly words: Readonly<Record<string, unknown>>;
  readonly goals: readonly string[];
  readonly solution: string;
}

/** The scene of a step: its members except the options, and the YAML of each option's claim. */
export interface DraftScene {
  readonly words: Readonly<Record<string, unknown>>;
  readonly claims: readonly string[];
}

export interface DraftStep {
  readonly id: string;
  readonly scene: DraftScene | undefined;
  readonly exercise?: DraftExercise | undefined;
  readonly texts: Readonly<Record<LessonLanguage, DraftTexts>>;
}

export interface LessonDraft {
  readonly id: string;
  readonly minutes: number;
  readonly heads: Readonly<Record<LessonLanguage, { readonly title: string; readonly summary: string }>>;
  /** The scenarios that the lesson brings along, as parsed YAML. */
  readonly scenarios: readonly unknown[];
  readonly steps: readonly DraftStep[];
}

/** The texts of a new step. */
export const noTexts: DraftTexts = {
  title: '',
  body: '',
  question: '',
  options: [],
  explanation: '',
  goals: [],
  hints: [],
  notes: '',
};

const flow = (value: unknown): string =>
  stringify(value, { collectionStyle: 'flow', lineWidth: 0, flowCollectionPadding: true }).trimEnd();

/** Returns the claim of an option, or the goal of an exercise, as YAML on one line. */
export const claimText = (claim: Goal): string => flow(claim);

type Read<T> = { readonly value: T; readonly problem?: undefined } | { readonly problem: Problem };

/** Parses YAML that a schema describes. */
function readAs<T>(text: string, schema: z.ZodType<T>): Read<T> {
  let problem: Problem | undefined;
  const value = readYaml(text, 1, (_line, found) => {
    problem ??= { parts: [], ...found };
  })?.value;
  if (problem !== undefined) return { problem };
  const { data, error } = schema.safeParse(value);
  if (!error) return { value: data };
  const {
    issues: [issue = { path: [], message: '' }],
  } = error;
  return { problem: { parts: fieldOf(issue.path), ...problemOfIssue(issue) } };
}

/** Returns the claim that a text states, or the reason why it is invalid. */
export const readClaim = (text: string): Read<Claim> => readAs(text, claimSchema);

/** Returns the goal that a text states, or the reason why it is invalid. */
export const readGoal = (text: string): Read<Goal> => readAs(text, goalSchema);

/** Returns the members of a scene or exercise, except those that have their default value. */
const wordsOf = ({ profile, at, look, ...rest }: Scene | Omit<Exercise, 'goals'>): DraftScene['words'] => ({
  ...rest,
  ...(profile === 'v1.36' ? {} : { profile }),
  at,
  ...(look ? { look: look.map((each) => (Object.keys(each).length === 1 ? each.at : each)) } : {}),
});

const textsOf = ({ title, body, question, task, notes = '' }: LessonStep): DraftTexts => ({
  title,
  body,
  question: question?.text ?? '',
  options: (question?.options ?? []).map((text, index) => ({ text, remark: question?.remarks[index] ?? '' })),
  explanation: question?.explanation ?? task?.explanation ?? '',
  goals: task?.goals ?? [],
  hints: task?.hints ?? [],
  notes,
});

function draftScene({ options = [], ...scene }: Scene): DraftScene {
  return { words: wordsOf(scene), claims: options.map(claimText) };
}

const draftExercise = ({ goals, ...exercise }: Exercise, solution = ''): DraftExercise => ({
  words: wordsOf(exercise),
  goals: goals.map(claimText),
  solution,
});

/** Returns a lesson as a draft. Without a translation its Chinese texts are empty. */
export function draftOf(original: Lesson, translation?: Lesson): LessonDraft {
  const { id, minutes, title, summary, scenarios, steps } = original;
  return {
    id,
    minutes,
    heads: {
      en: { title, summary },
      'zh-CN': { title: translation?.title ?? '', summary: translation?.summary ?? '' },
    },
    scenarios: scenarios.map(({ value }) => value),
    steps: steps.map((step) => {
      const translated = translation?.steps.find((each) => each.id === step.id);
      const { scene, exercise, solution } = step;
      return {
        id: step.id,
        scene: scene && draftScene(scene),
        ...(exercise ? { exercise: draftExercise(exercise, solution) } : {}),
        texts: { en: textsOf(step), 'zh-CN': translated ? textsOf(translated) : noTexts },
      };
    }),
  };
}

const fence = (kind: string, lines: readonly string[]): string => ['```' + kind, ...lines, '```'].join('\n');

/** Formats a block of YAML whose list `listed` has one entry per line. */
function block(kind: string, words: DraftScene['words'], listed: string, entries: readonly string[]): string {
  const members = Object.entries(words)
    .filter(([, value]) => value !== undefined)
    .map(([word, value]) => `${word}: ${flow(value)}`);
  const list = entries.map((entry) => `  - ${entry.trim().replaceAll(/\s*\n\s*/g, ' ')}`);
  return fence(kind, [...members, ...(list.length > 0 ? [`${listed}:`, ...list] : [])]);
}

const exerciseBlocks = ({ words, goals, solution }: DraftExercise): readonly string[] => [
  block('exercise', words, 'goals', goals),
  ...(solution.trim() === '' ? [] : [fence('solution', [solution.trimEnd()])]),
];

function taskText({ goals, hints, explanation }: DraftTexts): readonly string[] {
  return [
    goals.map((goal) => `- [ ] ${goal.trim()}`).join('\n'),
    ...hints.filter((hint) => hint.trim() !== '').map((hint) => `! ${hint.trim().replaceAll(/\n\s*/g, '\n  ')}`),
    explanation.trim(),
  ];
}

const remarkLines = (remark: string): readonly string[] =>
  remark.trim() === ''
    ? []
    : remark
        .trim()
        .split('\n')
        .map((line) => `      ${line.trim()}`);

function questionText({ question, options, explanation }: DraftTexts): readonly string[] {
  if (question.trim() === '' && options.length === 0) return [];
  return [
    `? ${question.trim()}`,
    options.flatMap(({ text, remark }) => [`- [ ] ${text.trim()}`, ...remarkLines(remark)]).join('\n'),
    explanation.trim(),
  ];
}

/** Returns the Markdown of a draft in one language. Only the English file has scenes and scenarios. */
export function formatLesson({ id, minutes, heads, scenarios, steps }: LessonDraft, language: LessonLanguage): string {
  const { title, summary } = heads[language];
  const isOriginal = language === 'en';
  const front = { id, title, summary, minutes, ...(isOriginal ? {} : { language }) };
  const parts = [
    `---\n${stringify(front, { lineWidth: 0 })}---`,
    ...(isOriginal ? scenarios : []).map((scenario) =>
      fence('scenario', [stringify(scenario, { lineWidth: 0 }).trimEnd()]),
    ),
    ...steps.flatMap((step) => {
      const texts = step.texts[language];
      return [
        `## ${texts.title.trim()} {#${step.id}}`,
        ...(isOriginal && step.scene ? [block('scene', step.scene.words, 'options', step.scene.claims)] : []),
        ...(isOriginal && step.exercise ? exerciseBlocks(step.exercise) : []),
        texts.body.trim(),
        texts.notes.trim() === '' ? '' : fence('notes', [texts.notes.trim()]),
        ...(step.exercise ? taskText(texts) : questionText(texts)),
      ];
    }),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}
