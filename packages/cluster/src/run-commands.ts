/** The commands about recorded runs, over a library of them. */
import type { CommandHandlers } from './command-table.ts';
import { exportPlace, type RunLibrary } from './run-library.ts';

/** Events of a page when the client does not say. */
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
