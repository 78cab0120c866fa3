/**
 * Serves recorded runs over HTTP for scripts and downloads: list, read, edit, export, import and delete. Clients of the
 * WebSocket stream have commands for the same operations. Some paths are also addresses of the page; a browser that
 * navigates to them gets the page.
 */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ApiError, asApiError, badRequest, forbidden } from '@podscope/apiserver';
import { exportPlace } from '@podscope/node';
import { maxEventsPerPage, runExportFormatSchema } from '@podscope/protocol';
import { maxNoteLength, maxTags, maxTitleLength, TraceFileError, tagSchema } from '@podscope/trace/file';
import express, { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from 'express';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { EventStore } from '../store/event-store.ts';
import { exportRun, importRun } from '../store/transfer.ts';

export interface RunRoutesOptions {
  readonly store: EventStore;
  readonly logger: Logger;
  /** Returns true if runs may not be changed. */
  readonly readOnly: () => boolean;
}

const pageSchema = z.object({
  after: z.coerce.number().int().nonnegative().default(0),
  at: z.coerce.number().int().positive().optional(),
  limit: z.coerce.number().int().positive().max(maxEventsPerPage).default(1_000),
});
const patchSchema = z.strictObject({
  title: z.string().max(maxTitleLength).optional(),
  tags: z.array(tagSchema).max(maxTags).optional(),
  /** A note to add to the run. */
  note: z.strictObject({ seq: z.int().positive().optional(), text: z.string().min(1).max(maxNoteLength) }).optional(),
});

/** The maximum number of concurrent imports. Each import uses about one CPU. */
const maxImports = 2;

function parse<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw badRequest(`${issue?.path.join('.') || 'the request'}: ${issue?.message ?? 'not understood'}`);
}

const runId = (request: Request): string => String(request.params['id']);

/** Lets the page handle the request if a browser navigates to the address. */
const pageFirst: RequestHandler = (request, _response, next) => {
  next(request.method === 'GET' && request.accepts(['json', 'html']) === 'html' ? 'router' : undefined);
};

/** Returns the routes below `/runs`. */
export function runRoutes({ store, logger, readOnly }: RunRoutesOptions): Router {
  const router = Router();
  let imports = 0;
  const changes: RequestHandler = (_request, _response, next) =>
    next(readOnly() ? forbidden('runs', '', 'the server was started read-only') : undefined);
  const json = express.json({ limit: '64kb' });

  router.get('/runs', pageFirst, (_request, response) => void response.json({ runs: store.list() }));
  router.get('/runs/:id', pageFirst, (request, response) => void response.json({ run: store.get(runId(request)) }));
  router.get('/runs/:id/events', (request, response) => {
    const id = runId(request);
    const { texts, next, pods } = store.textPage(id, parse(pageSchema, request.query));
    const rest = { ...(next === undefined ? {} : { next }), ...(pods ? { pods } : {}), run: store.get(id) };
    // Combine texts instead of serializing, because the events are already JSON text.
    response.type('json').send(`{"events":[${texts.join(',')}],${JSON.stringify(rest).slice(1)}`);
  });
  router.get('/runs/:id/file', (request, response) => download(store, request, response, 'file'));
  router.get('/runs/:id/export', (request, response) =>
    download(store, request, response, parse(runExportFormatSchema, request.query['format'])),
  );
  router.patch('/runs/:id', changes, json, (request, response) => {
    const id = runId(request);
    const { title, tags, note } = parse(patchSchema, request.body);
    store.get(id);
    if (title !== undefined) store.rename(id, title.trim());
    if (tags !== undefined) store.tag(id, tags);
    if (note !== undefined) store.annotate(id, { ...note, text: note.text.trim() });
    response.json({ run: store.get(id) });
  });
  router.delete('/runs/:id', changes, (request, response) => {
    store.delete(runId(request));
    response.status(204).end();
  });
  router.post('/runs', changes, async (request, response) => {
    if (imports >= maxImports)
      throw new ApiError(429, 'TooManyRequests', `At most ${maxImports} files are read at a time: try again.`);
    imports++;
    try {
      const { run, report } = await importRun(store, request);
      response.status(201).location(`/runs/${run.id}`).json({ run, report });
    } finally {
      imports--;
    }
  });
  router.use('/runs', ((error: unknown, request, response, next) => {
    const failure = asFailure(error);
    if (failure.code >= 500)
      logger.error({ err: error, method: request.method, path: request.path }, 'a request about runs failed');
    if (response.headersSent) next(error);
    // The rest of a rejected body isn't read, so close the connection.
    else
      response
        .status(failure.code)
        .set(request.readableEnded ? {} : { Connection: 'close' })
        .json({ reason: failure.reason, message: failure.message });
  }) satisfies ErrorRequestHandler);
  return router;
}

async function download(
  store: EventStore,
  request: Request,
  response: Response,
  format: z.infer<typeof runExportFormatSchema>,
): Promise<void> {
  const run = store.get(runId(request));
  const { fileName, mediaType } = exportPlace(run, format);
  response.set({
    'Content-Type': mediaType,
    'Content-Disposition': `attachment; filename="${fileName}"`,
    'Cache-Control': 'no-store',
  });
  // A client that disconnects during the download isn't an error.
  await pipeline(Readable.from(exportRun(store, run.id, format, Date.now())), response).catch(() => response.destroy());
}

function asFailure(error: unknown): ApiError {
  if (error instanceof TraceFileError)
    return new ApiError(error.code === 'tooLarge' ? 413 : 422, error.code, sentence(error.message));
  const { type, message } = error as { type?: string; message?: string };
  if (type?.startsWith('entity.') || type === 'encoding.unsupported' || type?.startsWith('request.'))
    return badRequest(message ?? 'the body cannot be read');
  return asApiError(error);
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
