/**
 * Serves the debugger over HTTP for scripts, at `/debug/v1/…`. Each request contains one command. The commands are the
 * same as on the stream.
 */
import { asApiError, badRequest, unsupportedMediaType } from '@podscope/apiserver';
import type { NodeHost } from '@podscope/node';
import { type Command, commandSchema, debugResultSchemas } from '@podscope/protocol';
import { type Clock, type Milliseconds, type Timer, toJson } from '@podscope/trace';
import express, { type ErrorRequestHandler, type RequestHandler, type Response, Router } from 'express';
import { bodyErrors, mediaType, parseJson, readBody } from '../kubernetes-api/requests/body.ts';

/** A script counts as disconnected after this time without a command. */
const scriptLease: Milliseconds = 600_000;

/**
 * Registers all scripts together as one client of the debugger. The client connects with the first command. It
 * disconnects with `detach`, or when the lease ends.
 */
export class ScriptLease {
  readonly #attach: () => () => void;
  readonly #clock: Clock;
  #detach: (() => void) | undefined;
  #timer: Timer | undefined;

  /** @param attach registers a client with the current debugger; the returned function unregisters it */
  constructor(attach: () => () => void, clock: Clock) {
    this.#attach = attach;
    this.#clock = clock;
  }

  renew(): void {
    this.#detach ??= this.#attach();
    this.#timer?.cancel();
    this.#timer = this.#clock.schedule(scriptLease, () => this.end());
  }

  /**
   * Registers the scripts with the new debugger after a rerun. Otherwise they would stay registered with the old one.
   */
  moved(): void {
    if (this.#detach) this.#detach = this.#attach();
  }

  end(): void {
    this.#timer?.cancel();
    this.#detach?.();
    this.#timer = undefined;
    this.#detach = undefined;
  }
}

const isDebugCommand = ({ command }: Command): boolean => command in debugResultSchemas;

function parseCommand(text: string): Command {
  const parsed = commandSchema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw badRequest(`The command is invalid: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
}

const send = (response: Response, status: number, body: unknown): void =>
  void response.status(status).type('application/json').setHeader('Cache-Control', 'no-store').send(toJson(body));

/** Returns the routes below `/debug/v1`. */
export function debugApi(nodeHost: Pick<NodeHost, 'commandTable' | 'readOnly'>, lease: ScriptLease): Router {
  const run = async (command: Command, response: Response): Promise<void> => {
    if (isDebugCommand(command) && command.command !== 'detach' && !nodeHost.readOnly) lease.renew();
    const controller = new AbortController();
    response.on('close', () => controller.abort(new DOMException('The client is gone.', 'AbortError')));
    const result = await nodeHost.commandTable.run(command, { signal: controller.signal });
    if (command.command === 'detach') lease.end();
    send(response, 200, result);
  };
  const post: RequestHandler = async (request, response) => {
    // Accept only JSON. Pages of other sites can send JSON only after a preflight request, which is rejected.
    if (mediaType(request) !== 'application/json') throw unsupportedMediaType(['application/json']);
    const body: unknown = request.body;
    await run(parseCommand(Buffer.isBuffer(body) ? body.toString('utf8') : ''), response);
  };
  const look =
    (command: Command): RequestHandler =>
    async (_request, response) =>
      send(response, 200, await nodeHost.commandTable.run(command, { signal: new AbortController().signal }));
  const router = Router();
  const routes = express.Router();
  routes.post('/commands', readBody, post);
  routes.get('/state', look({ command: 'debugState' }));
  routes.get('/points', look({ command: 'points' }));
  routes.use(bodyErrors);
  routes.use(((error: unknown, _request, response, next) => {
    if (response.headersSent) {
      next(error);
      return;
    }
    const { code, reason, message } = asApiError(error);
    send(response, code === 499 ? 400 : code, { reason, message });
  }) satisfies ErrorRequestHandler);
  routes.use((_request, response) =>
    send(response, 404, {
      reason: 'NotFound',
      message: 'There are POST commands, GET state and GET points below /debug/v1.',
    }),
  );
  router.use('/debug/v1', routes);
  return router;
}
