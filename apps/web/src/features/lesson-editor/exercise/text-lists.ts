/** Changes the lists of texts of an exercise, its goals and hints, in one or in both languages. */
import type { DraftStep, LessonLanguage } from '@podscope/lessons';

type List = 'goals' | 'hints';
type Change = (step: DraftStep) => DraftStep;

/** Returns the list with another entry at this place. Missing entries before it are empty. */
export const withEntry = (list: readonly string[], index: number, text: string): readonly string[] =>
  Array.from({ length: Math.max(list.length, index + 1) }, (_, place) =>
    place === index ? text : (list[place] ?? ''),
  );

/** Returns a change of one entry in one language. */
export const changeEntry =
  (language: LessonLanguage, list: List, index: number, text: string): Change =>
  (step) => ({
    ...step,
    texts: {
      ...step.texts,
      [language]: { ...step.texts[language], [list]: withEntry(step.texts[language][list], index, text) },
    },
  });

/** Returns a change of the list in both languages. */
export const changeLists =
  (list: List, change: (texts: readonly string[]) => readonly string[]): Change =>
  (step) => ({
    ...step,
    texts: {
      en: { ...step.texts.en, [list]: change(step.texts.en[list]) },
      'zh-CN': { ...step.texts['zh-CN'], [list]: change(step.texts['zh-CN'][list]) },
    },
  });
