/**
 * Declares the interface of saved runs. The server implements it with a database. A node without saved runs has no
 * library.
 */
import type { RunExportFormat, RunPage, RunSummary } from '@podscope/protocol';
import type { RunNote } from '@podscope/trace/file';

export interface RunPageRequest {
  readonly after: number;
  /** The number of an event. If it is set, the page begins at the last keyframe before that event. */
  readonly at?: number | undefined;
  readonly limit: number;
}

/** Reads and changes saved runs. Errors are {@link ApiError}s. The id `current` is the current run. */
export interface RunLibrary {
  /** Returns all runs, the newest first. */
  list(): readonly RunSummary[];
  /**
   * Returns the summary of a run.
   * @throws ApiError NotFound
   */
  get(id: string): RunSummary;
  page(id: string, request: RunPageRequest): RunPage;
  rename(id: string, title: string): RunSummary;
  tag(id: string, tags: readonly string[]): RunSummary;
  /** Creates or changes a note. An empty text deletes it. */
  annotate(
    id: string,
    note: { readonly note?: number; readonly seq?: number; readonly text: string },
  ): RunNote | undefined;
  /**
   * Deletes a run.
   * @throws ApiError Conflict for the current run
   */
  delete(id: string): void;
}

/** The path from which a run's export is downloaded, and the name of the file. */
export interface RunExportPlace {
  readonly path: string;
  readonly fileName: string;
  readonly mediaType: string;
}

const endings: Readonly<Record<RunExportFormat, { readonly ending: string; readonly mediaType: string }>> = {
  file: { ending: '.podscope', mediaType: 'application/gzip' },
  perfetto: { ending: '.perfetto.json', mediaType: 'application/json' },
  otlp: { ending: '.otlp.json', mediaType: 'application/json' },
};

/** Returns the path, file name and media type of a run's export. */
export function exportPlace({ id, title }: Pick<RunSummary, 'id' | 'title'>, format: RunExportFormat): RunExportPlace {
  const { ending, mediaType } = endings[format];
  const readable = (title ?? '')
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60);
  const path = format === 'file' ? `/runs/${id}/file` : `/runs/${id}/export?format=${format}`;
  return { path, fileName: `${readable || id}${ending}`, mediaType };
}
