/** Provides the draft of the lesson editor as a lesson's text, for example to send it to a class. */
import { formatLesson } from '@podscope/lessons';
import type { GivenLesson } from '../lessons/index.ts';
import { hasTranslation } from './check-draft.ts';
import { useDraft } from './draft-store.ts';

/** Returns the draft in both languages; undefined if it has no steps. */
export function draftLesson(): GivenLesson | undefined {
  const { draft } = useDraft.getState();
  if (draft.steps.length === 0) return undefined;
  const translation = hasTranslation(draft) ? { translation: formatLesson(draft, 'zh-CN') } : {};
  return { text: formatLesson(draft, 'en'), ...translation };
}
