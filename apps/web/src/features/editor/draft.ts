/** Stores the manifest that the user edits, also while the editor is closed. */
import { create } from 'zustand';
import { translate } from '../../base/i18n/i18n.ts';
import { editorMessages } from './messages.en.ts';
import { templates } from './templates.ts';

interface Draft {
  readonly text: string;
  /** Where the original text came from: a template's title or a file's name. */
  readonly source: string | undefined;
}

const first = templates[0];

export const useDraft = create<Draft>()(() => ({ text: first?.manifest ?? '', source: undefined }));

/** Maximum size of a manifest file, in bytes. */
const largestFile = 1024 * 1024;

/** Returns the text of a manifest file. @throws Error for a file that is too large or not text */
export async function readManifest(file: File): Promise<string> {
  if (file.size > largestFile)
    throw new Error(
      translate(editorMessages.tooLarge, {
        name: file.name,
        size: Math.round(file.size / 1024),
        most: largestFile / 1024,
      }),
    );
  const text = await file.text();
  if (text.includes('\0')) throw new Error(translate(editorMessages.notText, { name: file.name }));
  return text;
}
