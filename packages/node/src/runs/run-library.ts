/** The port for saved runs. The server implements it on a database; a node without saved runs has no library. */
import type { RunExportFormat, RunPage, RunSummary } from '@podscope/protocol';
import type { RunNote } from '@podscope/trace/file';

export interface RunPageRequest {
  readonly after: number;
  /** Start at the last keyframe before this event instead. */
  readonly at?: number | undefined;
  readonly limit: number;
}

/** Errors are {@link ApiError}s. The id `current` is the current run. */
export interface RunLibrary {
  /** Returns all runs, newest first. */
  list(): readonly RunSummary[];
  /** @throws ApiError NotFound */
  get(id: string): RunSummary;
  page(id: string, request: RunPageRequest): RunPage;
  rename(id: string, title: string): RunSummary;
  tag(id: string, tags: readonly string[]): RunSummary;
  /** Creates or changes a note. An empty text deletes it. */
  annotate(
    id: string,
    note: { readonly note?: number; readonly seq?: number; readonly text: string },
  ): RunNote | undefined;
  /** @throws ApiError Conflict for the current run */
  delete(id: string): void;
}

/** Where a run's export is downloaded, and the name of the file. */
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
