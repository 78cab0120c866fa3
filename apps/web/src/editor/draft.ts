/** The manifest being written: closing the editor does not lose it. */
import { create } from 'zustand';
import { templates } from './templates.ts';

interface Draft {
  readonly text: string;
  /** Where it came from, until it is edited: a template's title, a file's name. */
  readonly source: string | undefined;
}

const first = templates[0];

export const useDraft = create<Draft>()(() => ({ text: first?.manifest ?? '', source: first?.title }));

/** Texts that are larger are no manifests. */
const largestFile = 1024 * 1024;

/** @throws Error for a file that cannot be a manifest. */
export async function readManifest(file: File): Promise<string> {
  if (file.size > largestFile) throw new Error(`${file.name} has ${Math.round(file.size / 1024)} KiB; a manifest may have 1024.`);
  const text = await file.text();
  if (text.includes('\0')) throw new Error(`${file.name} is not a text file.`);
  return text;
}
