/** Says what the engine has to say of pods from elsewhere, and of clusters that are looked at, in the page's language. */
import type { Notice } from '@podscope/protocol';
import type { translate } from '../i18n/i18n.ts';
import { sayFilled } from '../i18n/say-filled.ts';
import { snapshotNotices } from './messages.en.ts';

type Named = Pick<Exclude<Notice, string>, 'id' | 'values'> & { readonly text?: string };

const isKnown = (id: string): id is keyof typeof snapshotNotices => Object.hasOwn(snapshotNotices, id);

/** A text by its name; what another version of a node says in names that are not known here is said in its English. */
export function sayNotice(t: typeof translate, notice: string | Named): string {
  if (typeof notice === 'string') return notice;
  return isKnown(notice.id) ? sayFilled(t, snapshotNotices[notice.id], notice.values) : (notice.text ?? notice.id);
}
