/** Opens a dropped or chosen file: a recorded run, a manifest, a pod snapshot or a lesson. */

import { errorMessage } from '@podscope/base';
import { translate } from '../../base/i18n/i18n.ts';
import { notify } from '../../base/notices/notices.ts';
import { openFileRun } from '../../node/run/open-node.ts';
import { openEditor } from '../../node/view/interface.ts';
import { readManifest } from '../editor/index.ts';
import { lessonOfFiles, openGivenLesson, openScenarioText } from '../lessons/index.ts';
import { looksLikeSnapshot, openSnapshot } from '../snapshot/index.ts';
import { openFileMessages } from './messages.en.ts';

/** The file name extension of scenarios (docs/learn/lessons.md). */
const scenarioFileEnding = '.scenario.yaml';

/** Returns true for a gzip file, by its first bytes. */
async function isGzip(file: File): Promise<boolean> {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  return first === 0x1f && second === 0x8b;
}

/** Loads the code that reads files, and starts the worker. A failure is reported when a file is opened. */
export const prepareToOpen = (): Promise<unknown> =>
  import('../../node/files/file-node.ts').then(({ prepareUnpacker }) => prepareUnpacker()).catch(() => undefined);

/** Opens the first file, a lesson with the translation among the files. Reports errors as notices. */
export async function openFiles(files: readonly File[]): Promise<void> {
  const [file] = files;
  if (!file) return;
  try {
    if (!(await isGzip(file))) {
      const text = await readManifest(file);
      if (file.name.endsWith('.md')) {
        // The errors of a lesson already name the file and the line.
        const lesson = await lessonOfFiles(files.filter(({ name }) => name.endsWith('.md')));
        if (lesson) await openGivenLesson(lesson).catch((error: unknown) => notify('error', errorMessage(error)));
        return;
      }
      if (file.name.endsWith(scenarioFileEnding)) {
        await openScenarioText(text, file.name).catch((error: unknown) => notify('error', errorMessage(error)));
        return;
      }
      if (looksLikeSnapshot(text)) openSnapshot(text);
      else openEditor(text, file.name);
      return;
    }
    const { fileNode, readTraceFile } = await import('../../node/files/file-node.ts');
    const loaded = await readTraceFile(file);
    openFileRun(fileNode(loaded, file.name));
  } catch (error) {
    notify(
      'error',
      translate(openFileMessages.problem, {
        name: file.name,
        problem: errorMessage(error),
      }),
    );
  }
}
