/** Changes the lists of an exercise's texts (goals and hints), in one language or in both. */
import type { DraftStep, LessonLanguage } from '@podscope/lessons';

type List = 'goals' | 'hints';
type Change = (step: DraftStep) => DraftStep;

/** Returns the list with `text` at the index. Missing entries before the index become empty. */
export const withEntry = (list: readonly string[], index: number, text: string): readonly string[] =>
  Array.from({ length: Math.max(list.length, index + 1) }, (_, place) =>
    place === index ? text : (list[place] ?? ''),
  );

/** Returns the change that sets one entry in one language. */
export const changeEntry =
  (language: LessonLanguage, list: List, index: number, text: string): Change =>
  (step) => ({
    ...step,
    texts: {
      ...step.texts,
      [language]: { ...step.texts[language], [list]: withEntry(step.texts[language][list], index, text) },
    },
  });

/** Returns the change that applies `change` to the list in both languages. */
export const changeLists =
  (list: List, change: (texts: readonly string[]) => readonly string[]): Change =>
  (step) => ({
    ...step,
    texts: {
      en: { ...step.texts.en, [list]: change(step.texts.en[list]) },
      'zh-CN': { ...step.texts['zh-CN'], [list]: change(step.texts['zh-CN'][list]) },
    },
  });
