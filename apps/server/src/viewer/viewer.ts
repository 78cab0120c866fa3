/**
 * Shows a trace file, or a run of the store, in the browser: serves page, stream and run routes with the same access
 * checks as the server.
 */
import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TraceFileError } from '@podscope/trace/file';
import type { Logger } from 'pino';
import { recordingAsFile } from '../observe/observed-run.ts';
import type { TraceQuery } from '../observe/traces/trace-storage.ts';
import { tracesAsFile } from '../observe/traces/traces-run.ts';
import { runRoutes } from '../runs/router.ts';
import { StartError } from '../start-error.ts';
import { EventStore } from '../store/event-store.ts';
import { unlimited } from '../store/store-limits.ts';
import { importRun } from '../store/transfer.ts';
import { startPageServer } from './page-server.ts';
import { RecordedRun } from './recorded-run.ts';

export interface ViewerOptions {
  /**
   * The run to show: a trace file, a run of the store in `storeFile`, a recorded conversation of a genuine kubelet, or
   * the spans of a pod in a trace storage.
   */
  readonly source:
    | { readonly file: string }
    | { readonly storeFile: string; readonly run: string }
    | { readonly recording: string; readonly session: string }
    | { readonly traces: TraceQuery };
  /** The port to listen on; 0 chooses a free port. */
  readonly port: number;
  /** The directory of the built page; undefined if no page is served. */
  readonly pageDirectory: string | undefined;
  readonly logger: Logger;
}

export interface Viewer {
  readonly port: number;
  readonly token: string;
  /** Address of the page, with the token. */
  readonly url: string;
  readonly title: string;
  readonly events: number;
  /** The error if only a part of the file could be read. */
  readonly problem: string | undefined;
  stop(): Promise<void>;
}

interface OpenedRun {
  readonly store: EventStore;
  readonly id: string;
  readonly problem: string | undefined;
  readonly close: () => Promise<void>;
}

async function openSource(source: ViewerOptions['source']): Promise<OpenedRun> {
  if ('storeFile' in source) {
    const store = EventStore.openExisting(source.storeFile);
    const { id } = store.get(source.run);
    return { store, id, problem: undefined, close: async () => store.close() };
  }
  // Import the file into a temporary store, which is read one page of events at a time. So files of any size can be
  // shown.
  const directory = await mkdtemp(join(tmpdir(), 'podscope-view-'));
  const store = EventStore.open({ file: join(directory, 'runs.db'), limits: unlimited, notify: () => undefined });
  const close = async (): Promise<void> => {
    store.close();
    await rm(directory, { recursive: true, force: true });
  };
  try {
    const bytes =
      'file' in source
        ? createReadStream(source.file)
        : 'traces' in source
          ? await tracesAsFile(source.traces)
          : await recordingAsFile(source.recording, source.session);
    const { run, report } = await importRun(store, bytes);
    return { store, id: run.id, problem: report.problem, close };
  } catch (error) {
    await close();
    const { message } = error as Error;
    if (!('file' in source)) throw error;
    throw new StartError(error instanceof TraceFileError ? `${source.file}: ${message}` : message, { cause: error });
  }
}

/**
 * Starts a viewer.
 * @throws StartError when the file or run can't be shown
 */
export async function startViewer({ source, port, pageDirectory, logger }: ViewerOptions): Promise<Viewer> {
  const { store, id, problem, close } = await openSource(source);
  try {
    const run = new RecordedRun(
      store,
      id,
      problem === undefined ? [] : [`The file is not complete: ${problem}. All events up to there are shown.`],
    );
    const server = await startPageServer({
      source: run,
      port,
      pageDirectory,
      logger,
      routes: [runRoutes({ store, logger, readOnly: () => true })],
    });
    const { title, lastSeq, firstSeq } = store.get(id);
    return {
      port: server.port,
      token: server.token,
      url: server.url,
      title: title ?? id,
      events: lastSeq === 0 ? 0 : lastSeq - firstSeq + 1,
      problem,
      stop: async () => {
        run.close();
        await server.close();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}
