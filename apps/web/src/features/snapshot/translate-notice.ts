/** Translates the engine's notices about pods from other clusters. */
import type { Notice } from '@podscope/protocol';
import { translateFilled } from '../../base/i18n/fill-text.ts';
import type { translate } from '../../base/i18n/i18n.ts';
import { snapshotNotices } from './messages.en.ts';

type Named = Pick<Exclude<Notice, string>, 'id' | 'values'> & { readonly text?: string };

const isKnown = (id: string): id is keyof typeof snapshotNotices => Object.hasOwn(snapshotNotices, id);

/** Translates a text by its id. For an id that this version doesn't know, returns the English text. */
export function translateNotice(t: typeof translate, notice: string | Named): string {
  if (typeof notice === 'string') return notice;
  return isKnown(notice.id)
    ? translateFilled(t, snapshotNotices[notice.id], notice.values)
    : (notice.text ?? notice.id);
}
