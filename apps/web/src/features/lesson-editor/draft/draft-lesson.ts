/** Provides the draft of the lesson editor as a lesson's text, for example to send it to a class. */
import { formatLesson, parseLesson, translateLesson } from '@podscope/lessons';
import type { GivenLesson } from '../../lessons/index.ts';
import { fileNames, hasTranslation } from './check-draft.ts';
import { useDraft } from './draft-store.ts';

/** Returns true if the translation has a text for each part of the original. */
function isTranslation(text: string, translation: string): boolean {
  const [original, translated] = [parseLesson(text).lesson, parseLesson(translation).lesson];
  return (
    original !== undefined && translated !== undefined && translateLesson(original, translated).lesson !== undefined
  );
}

/**
 * Returns the draft, in both languages if its translation is complete; undefined if it has no steps. The editor reports
 * what a translation lacks.
 */
export function draftLesson(): GivenLesson | undefined {
  const { draft } = useDraft.getState();
  if (draft.steps.length === 0) return undefined;
  const text = formatLesson(draft, 'en');
  const translation = hasTranslation(draft) ? formatLesson(draft, 'zh-CN') : '';
  return { text, name: fileNames(draft).en, ...(isTranslation(text, translation) ? { translation } : {}) };
}
