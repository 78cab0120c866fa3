/** Stores the lesson that is being written. The draft is stored in the browser, so that a reload loses nothing. */
import { isRecord } from '@podscope/base';
import {
  claimText,
  type DraftExercise,
  type DraftStep,
  type DraftTexts,
  draftOf,
  type LessonDraft,
  type LessonLanguage,
  noTexts,
  parseLesson,
} from '@podscope/lessons';
import { parseAllDocuments } from 'yaml';
import { create } from 'zustand';
import { pageStorage } from '../../../base/preferences/page-storage.ts';
import { lessonError } from '../../lessons/index.ts';
import type { RecordedDraft } from '../recording/recorded-draft.ts';

const storageKey = 'podscope.lesson-draft';

const emptyDraft: LessonDraft = {
  id: 'my-lesson',
  minutes: 5,
  heads: { en: { title: '', summary: '' }, 'zh-CN': { title: '', summary: '' } },
  scenarios: [],
  steps: [],
};

/**
 * Returns the stored draft. A draft that another version of the page stored may have another format, so it is
 * discarded.
 */
function keptDraft(): LessonDraft {
  try {
    const kept: unknown = JSON.parse(String(pageStorage.getItem(storageKey)));
    return isDraft(kept) ? kept : emptyDraft;
  } catch {
    return emptyDraft;
  }
}

const isDraft = (value: unknown): value is LessonDraft =>
  isRecord(value) && isRecord(value['heads']) && Array.isArray(value['steps']) && Array.isArray(value['scenarios']);

interface DraftState {
  readonly draft: LessonDraft;
  /** Index of the step in the form. */
  readonly step: number;
}

export const useDraft = create<DraftState>()(() => ({ draft: keptDraft(), step: 0 }));
useDraft.subscribe(({ draft }, before) => {
  if (draft !== before.draft) pageStorage.setItem(storageKey, JSON.stringify(draft));
});

export const changeDraft = (change: (draft: LessonDraft) => LessonDraft): void =>
  useDraft.setState(({ draft }) => ({ draft: change(draft) }));

/** Changes the shown step. */
export const changeStep = (change: (step: DraftStep) => DraftStep): void =>
  useDraft.setState(({ draft, step: shown }) => ({
    draft: { ...draft, steps: draft.steps.map((step, index) => (index === shown ? change(step) : step)) },
  }));

/** Changes the texts of the shown step in one language. */
export const changeTexts = (language: LessonLanguage, change: Partial<DraftTexts>): void =>
  changeStep((step) => ({ ...step, texts: { ...step.texts, [language]: { ...step.texts[language], ...change } } }));

/** Changes the exercise of the shown step. */
export const changeExercise = (change: Partial<DraftExercise>): void =>
  changeStep((step) => ({ ...step, exercise: step.exercise && { ...step.exercise, ...change } }));

/** Changes the manifest of a scenario of the draft. */
export const changeManifest = (id: unknown, manifest: string): void =>
  changeDraft((draft) => ({
    ...draft,
    scenarios: draft.scenarios.map((scenario) =>
      isRecord(scenario) && scenario['id'] === id ? { ...scenario, manifest } : scenario,
    ),
  }));

/** Returns `id`, or `id-2`, `id-3` … if it is taken. */
function freeId(id: string, taken: readonly string[]): string {
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? id : `${id}-${number}`;
    if (!taken.includes(candidate)) return candidate;
  }
}

const idOf = (value: unknown): string => (isRecord(value) ? String(value['id']) : '');

/** Returns the name of the first pod of a manifest; empty without one. */
export function podIn(manifest: string): string {
  const pod = parseAllDocuments(manifest, { logLevel: 'silent' })
    .map((document): unknown => (document.errors.length > 0 ? undefined : document.toJS({ maxAliasCount: 0 })))
    .find((value) => isRecord(value) && value['kind'] === 'Pod');
  const metadata = isRecord(pod) ? pod['metadata'] : undefined;
  return isRecord(metadata) && typeof metadata['name'] === 'string' ? metadata['name'] : '';
}

/** Adds a recording to the draft. @returns the commands that its scenario can't repeat */
export function addRecorded(record: (id: string) => RecordedDraft): readonly string[] {
  const { draft } = useDraft.getState();
  const { scenario, steps, omitted } = record(freeId(`${draft.id}-run`, draft.scenarios.map(idOf)));
  const ids = draft.steps.map(({ id }) => id);
  const added = steps.map((step) => {
    const id = freeId(step.id, ids);
    ids.push(id);
    return { ...step, id };
  });
  useDraft.setState({
    draft: {
      ...draft,
      scenarios: scenario ? [...draft.scenarios, scenario] : draft.scenarios,
      steps: [...draft.steps, ...added],
    },
    step: draft.steps.length,
  });
  return omitted;
}

/** The manifest with which a new exercise begins: its pod can't start. */
const brokenManifest = `apiVersion: v1
kind: Pod
metadata:
  name: web
spec:
  containers:
    - name: app
      image: bussybox:1.36
      command: [sleep, '3600']
`;

/** Adds an exercise that uses the newest scenario of the draft. If the draft has no scenario, also adds one. */
export function addExercise(): void {
  const { draft } = useDraft.getState();
  const last = draft.scenarios.at(-1);
  const created = { id: `${draft.id}-pod`, manifest: brokenManifest, duration: 60 };
  const scenario = last ?? created;
  const manifest = isRecord(scenario) ? String(scenario['manifest']) : '';
  const ids = draft.steps.map(({ id }) => id);
  const texts: DraftTexts = { ...noTexts, goals: [''], hints: [''] };
  const step: DraftStep = {
    id: freeId('repair', ids),
    scene: undefined,
    exercise: {
      words: { scenario: idOf(scenario), at: 20, look: 'events', pod: podIn(manifest), seconds: 60 },
      goals: [claimText({ status: { conditions: [{ type: 'Ready', status: 'True' }] }, for: 30 })],
      solution: manifest,
    },
    texts: { en: texts, 'zh-CN': texts },
  };
  useDraft.setState({
    draft: { ...draft, scenarios: last ? draft.scenarios : [created], steps: [...draft.steps, step] },
    step: draft.steps.length,
  });
}

/** Removes the shown step, and the scenarios that no other step uses. */
export const removeStep = (): void =>
  useDraft.setState(({ draft, step: shown }) => {
    const steps = draft.steps.filter((_, index) => index !== shown);
    const played = new Set(steps.map(({ scene, exercise }) => (scene ?? exercise)?.words['scenario']));
    return {
      draft: { ...draft, steps, scenarios: draft.scenarios.filter((scenario) => played.has(idOf(scenario))) },
      step: Math.max(0, Math.min(shown, steps.length - 1)),
    };
  });

/** Starts an empty lesson. */
export const newDraft = (): void => useDraft.setState({ draft: emptyDraft, step: 0 });

/**
 * Opens the file of a lesson. The original starts a new draft; a translation adds the Chinese texts to the draft.
 * @throws Error that lists every problem
 */
export function openDraft(text: string, name: string): void {
  const { lesson, problems } = parseLesson(text);
  if (!lesson) throw lessonError(problems, name);
  if (lesson.language === 'en') {
    useDraft.setState({ draft: draftOf(lesson), step: 0 });
    return;
  }
  const texts = draftOf(lesson);
  changeDraft((draft) => ({
    ...draft,
    heads: { ...draft.heads, 'zh-CN': texts.heads.en },
    steps: draft.steps.map((step) => {
      const translated = texts.steps.find(({ id }) => id === step.id);
      return translated ? { ...step, texts: { ...step.texts, 'zh-CN': translated.texts.en } } : step;
    }),
  }));
}
