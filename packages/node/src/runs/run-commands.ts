/** Handles the commands about saved runs. */
import type { CommandHandlers } from '../commands/command-table.ts';
import { exportPlace, type RunLibrary } from './run-library.ts';

/** The default number of events per page. */
const defaultPage = 1_000;

export const runCommandHandlers = (library: RunLibrary): CommandHandlers => ({
  listRuns: () => ({ runs: library.list() }),
  renameRun: ({ run, title }) => ({ run: library.rename(run, title.trim()) }),
  tagRun: ({ run, tags }) => ({ run: library.tag(run, tags) }),
  annotateRun: ({ run, note, seq, text }) => ({ note: library.annotate(run, { note, seq, text: text.trim() }) }),
  deleteRun: ({ run }) => {
    library.delete(run);
    return {};
  },
  openRun: ({ run, after = 0, at, limit = defaultPage }) => library.page(run, { after, at, limit }),
  exportRun: ({ run, format }) => exportPlace(library.get(run), format),
});
