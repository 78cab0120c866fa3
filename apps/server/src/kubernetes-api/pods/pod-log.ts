/**
 * Serves `pods/log`: a container's output as plain text. Upstream: PodLogOptions and the kubelet's /containerLogs
 * (v1.36).
 */

import { ApiError, asApiError, badRequest } from '@podscope/apiserver';
import { errorMessage } from '@podscope/base';
import { type ContainerLogLine, CriError } from '@podscope/cri';
import type { ContainerLogRequest } from '@podscope/kubelet';
import type { NodeHost } from '@podscope/node';
import { addMilliseconds, type Clock, formatMicroTime, type Instant, parseTime, withSignal } from '@podscope/trace';
import type { Request, Response } from 'express';
import { booleanParameter, integerParameter, textParameter } from '../requests/parameters.ts';
import { containerOf } from './pod-containers.ts';

/** The number of unread bytes at which sending pauses. */
const highWater = 1024 * 1024;

interface LogQuery extends ContainerLogRequest {
  readonly timestamps: boolean;
  readonly limitBytes: number | undefined;
  /** The stream to send; undefined to send both streams. */
  readonly stream: 'stderr' | 'stdout' | undefined;
}

/** Parses and validates the query. Upstream: ValidatePodLogOptions (core/validation, v1.36). */
function parseQuery(request: Request, clock: Clock): LogQuery {
  const sinceSeconds = integerParameter(request, 'sinceSeconds', 1);
  const sinceTime = textParameter(request, 'sinceTime');
  if (sinceSeconds !== undefined && sinceTime !== undefined)
    throw badRequest('at most one of `sinceTime` or `sinceSeconds` may be specified');
  return {
    stream: parseStream(textParameter(request, 'stream')),
    previous: booleanParameter(request, 'previous'),
    follow: booleanParameter(request, 'follow'),
    timestamps: booleanParameter(request, 'timestamps'),
    tailLines: integerParameter(request, 'tailLines', 0),
    limitBytes: integerParameter(request, 'limitBytes', 1),
    since: sinceSeconds === undefined ? parseSince(sinceTime) : addMilliseconds(clock.now(), -sinceSeconds * 1000),
  };
}

function parseStream(text = 'All'): LogQuery['stream'] {
  if (text === 'All') return undefined;
  if (text === 'Stdout' || text === 'Stderr') return text === 'Stdout' ? 'stdout' : 'stderr';
  throw badRequest(`stream: Unsupported value: ${JSON.stringify(text)}: supported values: "All", "Stderr", "Stdout"`);
}

function parseSince(text: string | undefined): Instant | undefined {
  if (text === undefined) return undefined;
  try {
    return parseTime(text);
  } catch (error) {
    throw badRequest(`sinceTime: ${errorMessage(error)}`);
  }
}

/** Formats a time in nanoseconds, as the container runtime does. */
const logTime = (time: Instant): string => formatMicroTime(time).replace('Z', '000Z');

/** Waits until the client has caught up or disconnected. */
function drained(response: Response): Promise<void> {
  if (response.writableLength < highWater || response.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    response.once('drain', resolve);
    response.once('close', resolve);
  });
}

/** Handles a request for a log. Resolves when the whole log has been sent. */
export async function servePodLog(
  nodeHost: NodeHost,
  namespace: string,
  name: string,
  request: Request,
  response: Response,
): Promise<void> {
  const pod = nodeHost.api.storage.mustGet('Pod', namespace, name);
  const container = containerOf(pod, textParameter(request, 'container'));
  const query = parseQuery(request, nodeHost.clock);
  const gone = new AbortController();
  response.on('close', () => gone.abort(new DOMException('The client is gone.', 'AbortError')));
  const ctx = withSignal(nodeHost.context('api'), gone.signal);
  response.setHeader('Content-Type', 'text/plain; charset=utf-8');
  try {
    const lines = nodeHost.kubelet.containerLogs(ctx, namespace, name, container, query)[Symbol.asyncIterator]();
    // Send the headers before the first line, so that the client knows that the log is open. An error that occurs
    // earlier is still sent as a status.
    const first = lines.next();
    if (query.follow) {
      await Promise.race([first, new Promise((resolve) => setImmediate(resolve))]);
      response.flushHeaders();
    }
    await send(response, lines, first, query);
  } catch (error) {
    if (gone.signal.aborted) return;
    if (!response.headersSent) throw logFailure(error);
    response.write(`${logFailure(error).message}\n`);
  }
  response.end();
}

type Lines = AsyncIterator<ContainerLogLine, unknown>;

/** Sends lines until they end or a limit is reached. */
async function send(
  response: Response,
  lines: Lines,
  first: ReturnType<Lines['next']>,
  { stream, timestamps, limitBytes }: LogQuery,
): Promise<void> {
  let left = limitBytes ?? Number.POSITIVE_INFINITY;
  let atLineStart = true;
  for (let next = await first; !next.done && left > 0; next = await lines.next()) {
    const { time, text, partial = false, stream: from } = next.value;
    if (stream !== undefined && from !== stream) continue;
    // Join lines that the runtime split. The joined line has one timestamp.
    const line = Buffer.from(`${timestamps && atLineStart ? `${logTime(time)} ` : ''}${text}${partial ? '' : '\n'}`);
    atLineStart = !partial;
    response.write(line.subarray(0, left));
    left -= line.length;
    await drained(response);
  }
  await lines.return?.();
}

function logFailure(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof CriError) return error.code === 'NotFound' ? badRequest(error.message) : asApiError(error);
  return badRequest(errorMessage(error));
}
