/** Recorded runs as a node offers them: the server keeps them in a database; a node that keeps none has no library. */
import type { RunExportFormat, RunPage, RunSummary } from '@podscope/protocol';
import type { RunNote } from '@podscope/trace/file';

export interface RunPageRequest {
  readonly after: number;
  /** Begin at the last keyframe before this event instead. */
  readonly at?: number | undefined;
  readonly limit: number;
}

/** Failures are {@link ApiError}s. The id `current` is the run that goes on. */
export interface RunLibrary {
  /** Newest first. */
  list(): readonly RunSummary[];
  /** @throws ApiError NotFound */
  get(id: string): RunSummary;
  page(id: string, request: RunPageRequest): RunPage;
  rename(id: string, title: string): RunSummary;
  tag(id: string, tags: readonly string[]): RunSummary;
  /** Writes a new note, or changes one; an empty text takes it away. */
  annotate(id: string, note: { readonly note?: number; readonly seq?: number; readonly text: string }): RunNote | undefined;
  /** @throws ApiError Conflict for the run that goes on */
  delete(id: string): void;
}

/** What a run's export is called. */
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

/** Where a run's export is to be had over HTTP. */
export function exportPlace({ id, title }: Pick<RunSummary, 'id' | 'title'>, format: RunExportFormat): RunExportPlace {
  const { ending, mediaType } = endings[format];
  const readable = (title ?? '')
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60);
  const path = format === 'file' ? `/runs/${id}/file` : `/runs/${id}/export?format=${format}`;
  return { path, fileName: `${readable || id}${ending}`, mediaType };
}
