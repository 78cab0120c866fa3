/** The manifest being written: closing the editor does not lose it. */
import { create } from 'zustand';
import { translate } from '../i18n/i18n.ts';
import { editorMessages } from './messages.en.ts';
import { templates } from './templates.ts';

interface Draft {
  readonly text: string;
  /** Where it came from, until it is edited: a template's title, a file's name. */
  readonly source: string | undefined;
}

const first = templates[0];

export const useDraft = create<Draft>()(() => ({ text: first?.manifest ?? '', source: undefined }));

/** Texts that are larger are no manifests. */
const largestFile = 1024 * 1024;

/** @throws Error for a file that cannot be a manifest. */
export async function readManifest(file: File): Promise<string> {
  if (file.size > largestFile)
    throw new Error(translate(editorMessages.tooLarge, { name: file.name, size: Math.round(file.size / 1024), most: largestFile / 1024 }));
  const text = await file.text();
  if (text.includes('\0')) throw new Error(translate(editorMessages.notText, { name: file.name }));
  return text;
}
