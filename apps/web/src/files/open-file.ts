/**
 * Opens what is dropped on the page or chosen: a recorded run in place of the node, a manifest in the editor, a pod of a cluster
 * where it is explained, a lesson beside the page.
 */
import { readManifest } from '../editor/draft.ts';
import { translate } from '../i18n/i18n.ts';
import { openFileRun } from '../run/open-node.ts';
import { looksLikeSnapshot, openSnapshot } from '../snapshot/snapshot-text.ts';
import { notify, openEditor } from '../state/interface.ts';
import { fileMessages } from './messages.en.ts';

/** The first bytes of every gzip file. */
async function isGzip(file: File): Promise<boolean> {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  return first === 0x1f && second === 0x8b;
}

/** Says what is wrong with a file that can't be opened. */
export async function openFile(file: File | undefined): Promise<void> {
  if (!file) return;
  try {
    if (!(await isGzip(file))) {
      const text = await readManifest(file);
      if (file.name.endsWith('.md')) {
        const { openOwnLesson } = await import('../lessons/play-lesson.ts');
        // What is wrong with a lesson is said with file and line.
        await openOwnLesson(text, file.name).catch((error: unknown) => notify('error', error instanceof Error ? error.message : String(error)));
        return;
      }
      if (looksLikeSnapshot(text)) openSnapshot(text);
      else openEditor(text, file.name);
      return;
    }
    const { fileNode, readTraceFile } = await import('./file-node.ts');
    const loaded = await readTraceFile(file);
    openFileRun(fileNode(loaded, file.name));
  } catch (error) {
    notify('error', translate(fileMessages.problem, { name: file.name, problem: error instanceof Error ? error.message : String(error) }));
  }
}
