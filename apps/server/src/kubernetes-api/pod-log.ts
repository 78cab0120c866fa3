/** `pods/log`: a container's output as plain text. Upstream: PodLogOptions and the kubelet's /containerLogs (v1.36). */
import { ApiError, asApiError, badRequest, type Cluster } from '@podscope/cluster';
import { type ContainerLogLine, CriError } from '@podscope/cri';
import type { ContainerLogRequest } from '@podscope/kubelet';
import { addMilliseconds, type Clock, formatMicroTime, type Instant, parseTime, withSignal } from '@podscope/trace';
import type { Request, Response } from 'express';
import { booleanParameter, integerParameter, textParameter } from './parameters.ts';
import { containerOf } from './streams/pod-containers.ts';

/** A client this many bytes behind is waited for. */
const highWater = 1024 * 1024;

interface LogQuery extends ContainerLogRequest {
  readonly timestamps: boolean;
  readonly limitBytes: number | undefined;
  /** Absent: both. */
  readonly stream: 'stderr' | 'stdout' | undefined;
}

/** Upstream: ValidatePodLogOptions (core/validation, v1.36). */
function parseQuery(request: Request, clock: Clock): LogQuery {
  const sinceSeconds = integerParameter(request, 'sinceSeconds', 1);
  const sinceTime = textParameter(request, 'sinceTime');
  if (sinceSeconds !== undefined && sinceTime !== undefined) throw badRequest('at most one of `sinceTime` or `sinceSeconds` may be specified');
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
    throw badRequest(`sinceTime: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Nanoseconds, as the container runtime writes them. */
const logTime = (time: Instant): string => formatMicroTime(time).replace('Z', '000Z');

/** Waits until the client has read on, or is gone. */
function drained(response: Response): Promise<void> {
  if (response.writableLength < highWater || response.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    response.once('drain', resolve);
    response.once('close', resolve);
  });
}

/** Answers a request for a log; resolves when all of it has been sent. */
export async function servePodLog(cluster: Cluster, namespace: string, name: string, request: Request, response: Response): Promise<void> {
  const pod = cluster.storage.mustGet('Pod', namespace, name);
  const container = containerOf(pod, textParameter(request, 'container'));
  const query = parseQuery(request, cluster.clock);
  const gone = new AbortController();
  response.on('close', () => gone.abort(new DOMException('The client is gone.', 'AbortError')));
  const ctx = withSignal(cluster.context('api'), gone.signal);
  response.setHeader('Content-Type', 'text/plain; charset=utf-8');
  try {
    const lines = cluster.kubelet.containerLogs(ctx, namespace, name, container, query)[Symbol.asyncIterator]();
    // A log that says nothing yet is open all the same: the client sees it, unless it is refused at once.
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

/** Sends lines until they end or enough is sent. */
async function send(response: Response, lines: Lines, first: ReturnType<Lines['next']>, { stream, timestamps, limitBytes }: LogQuery): Promise<void> {
  let left = limitBytes ?? Number.POSITIVE_INFINITY;
  let atLineStart = true;
  for (let next = await first; !next.done && left > 0; next = await lines.next()) {
    const { time, text, partial = false, stream: from } = next.value;
    if (stream !== undefined && from !== stream) continue;
    // What the runtime cut is one line again, with one time.
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
  return badRequest(error instanceof Error ? error.message : String(error));
}
