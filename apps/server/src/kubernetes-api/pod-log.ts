/** `pods/log`: a container's output as plain text. Upstream: PodLogOptions and the kubelet's /containerLogs (v1.36). */
import { ApiError, asApiError, badRequest, type Cluster } from '@podscope/cluster';
import { CriError } from '@podscope/cri';
import type { Pod } from '@podscope/k8s';
import type { ContainerLogRequest } from '@podscope/kubelet';
import { addMilliseconds, type Clock, formatMicroTime, type Instant, parseTime, withSignal } from '@podscope/trace';
import type { Request, Response } from 'express';
import { booleanParameter, integerParameter, textParameter } from './parameters.ts';

/** A client this many bytes behind is waited for. */
const highWater = 1024 * 1024;

/** The container that is meant. Upstream: LogLocation (pod/strategy.go). */
function containerOf({ spec, metadata }: Pod, requested: string | undefined): string {
  const { containers, initContainers = [], ephemeralContainers = [] } = spec;
  const [first] = containers;
  if (requested === undefined) {
    const others = [
      ...(initContainers.length > 0 ? [` or one of the init containers: [${initContainers.map(({ name }) => name).join(' ')}]`] : []),
      ...(ephemeralContainers.length > 0 ? [` or one of the ephemeral containers: [${ephemeralContainers.map(({ name }) => name).join(' ')}]`] : []),
    ];
    if (first && containers.length === 1) return first.name;
    throw badRequest(
      `a container name must be specified for pod ${metadata.name}, choose one of: [${containers.map(({ name }) => name).join(' ')}]${others.join('')}`,
    );
  }
  const known = [...containers, ...initContainers, ...ephemeralContainers].some(({ name }) => name === requested);
  if (!known) throw badRequest(`container ${requested} is not valid for pod ${metadata.name}`);
  return requested;
}

interface LogQuery extends ContainerLogRequest {
  readonly timestamps: boolean;
  readonly limitBytes: number | undefined;
}

function parseQuery(request: Request, clock: Clock): LogQuery {
  const sinceSeconds = integerParameter(request, 'sinceSeconds', 1);
  const sinceTime = textParameter(request, 'sinceTime');
  return {
    previous: booleanParameter(request, 'previous'),
    follow: booleanParameter(request, 'follow'),
    timestamps: booleanParameter(request, 'timestamps'),
    tailLines: integerParameter(request, 'tailLines', 0),
    limitBytes: integerParameter(request, 'limitBytes', 1),
    since: sinceSeconds === undefined ? parseSince(sinceTime) : addMilliseconds(clock.now(), -sinceSeconds * 1000),
  };
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
  let left = query.limitBytes ?? Number.POSITIVE_INFINITY;
  // A log that says nothing yet is open all the same: the client sees it at once.
  if (query.follow) response.flushHeaders();
  try {
    for await (const { time, text, partial } of cluster.kubelet.containerLogs(ctx, namespace, name, container, query)) {
      const line = Buffer.from(`${query.timestamps ? `${logTime(time)} ` : ''}${text}${partial ? '' : '\n'}`);
      response.write(line.subarray(0, left));
      left -= line.length;
      if (left <= 0) break;
      await drained(response);
    }
  } catch (error) {
    if (gone.signal.aborted) return;
    if (!response.headersSent) throw logFailure(error);
    response.write(`${logFailure(error).message}\n`);
  }
  response.end();
}

function logFailure(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof CriError) return error.code === 'NotFound' ? badRequest(error.message) : asApiError(error);
  return badRequest(error instanceof Error ? error.message : String(error));
}
