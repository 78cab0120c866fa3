/** Implements the Docker port with dockerode. Sends each call, validates the answer and limits the duration. */
import { asError } from '@podscope/base';
import { type Context, DeadlineExceededError, withoutCancel, withTimeout } from '@podscope/trace';
import { z } from 'zod';
import type { DockerEndpoint } from './endpoint.ts';
import { connectionError, DockerError, type DockerSubject } from './error.ts';
import { BoundedBuffer, demultiplex, jsonLines, rawFrames } from './frames.ts';
import type {
  AttachArgs,
  DockerArgs,
  DockerClient,
  DockerFilters,
  DockerOperation,
  ExecOutput,
  LogsArgs,
  OutputFrame,
  ProcessConnection,
  PullImageArgs,
} from './port.ts';
import { processConnection } from './process-connection.ts';
import { registryAuthHeader } from './registry-auth.ts';
import { archiveCall, describeCall, dockerCall, eventsCall, logsCall } from './requests.ts';
import * as schemas from './schemas.ts';
import { type DockerStream, DockerTransport } from './transport.ts';

/**
 * How much longer than its grace period a stop call may take, in ms. The engine answers after it has killed the
 * container.
 */
const stopMarginMs = 30_000;

type Simple = Exclude<DockerOperation, 'pullImage' | 'startExec' | 'startExecAttached' | 'attach'>;

/** Options of one call. */
interface Treatment {
  /** The object that a 404 error names, for calls whose error text comes from Docker's client. */
  readonly subject?: DockerSubject;
  /** The time limit in ms. Default: the request timeout. */
  readonly limit?: number;
  /**
   * Whether the call changes something. If so, the call continues after the caller's cancellation, so that a created
   * object isn't lost.
   */
  readonly mutates?: boolean;
}

class DockerodeClient implements DockerClient {
  readonly #transport: DockerTransport;
  readonly #timeout: number;

  constructor(transport: DockerTransport, timeout: number) {
    this.#transport = transport;
    this.#timeout = timeout;
  }

  get apiVersion(): string {
    return this.#transport.apiVersion;
  }

  get endpoint(): string {
    return this.#transport.endpoint;
  }

  version(ctx: Context, args: DockerArgs<'version'>): Promise<schemas.DockerVersion> {
    return this.#call(ctx, 'version', args, schemas.versionSchema);
  }
  info(ctx: Context, args: DockerArgs<'info'>): Promise<schemas.DockerInfo> {
    return this.#call(ctx, 'info', args, schemas.infoSchema);
  }
  diskUsage(ctx: Context, args: DockerArgs<'diskUsage'>): Promise<schemas.DiskUsage> {
    return this.#call(ctx, 'diskUsage', args, schemas.diskUsageSchema);
  }
  listContainers(ctx: Context, args: DockerArgs<'listContainers'>): Promise<readonly schemas.ContainerSummary[]> {
    return this.#call(ctx, 'listContainers', args, containerSummaries);
  }
  inspectContainer(ctx: Context, args: DockerArgs<'inspectContainer'>): Promise<schemas.ContainerInspect> {
    return this.#call(ctx, 'inspectContainer', args, schemas.containerInspectSchema, {
      subject: { kind: 'container', id: args.id },
    });
  }
  createContainer(ctx: Context, args: DockerArgs<'createContainer'>): Promise<schemas.CreatedContainer> {
    return this.#call(ctx, 'createContainer', args, schemas.createdSchema, { mutates: true });
  }
  startContainer(ctx: Context, args: DockerArgs<'startContainer'>): Promise<void> {
    return this.#call(ctx, 'startContainer', args, nothing, { mutates: true });
  }
  stopContainer(ctx: Context, args: DockerArgs<'stopContainer'>): Promise<void> {
    return this.#call(ctx, 'stopContainer', args, nothing, {
      limit: Math.max(this.#timeout, args.timeout * 1000 + stopMarginMs),
    });
  }
  removeContainer(ctx: Context, args: DockerArgs<'removeContainer'>): Promise<void> {
    return this.#call(ctx, 'removeContainer', args, nothing, {
      subject: { kind: 'container', id: args.id },
      mutates: true,
    });
  }
  updateContainer(ctx: Context, args: DockerArgs<'updateContainer'>): Promise<void> {
    return this.#call(ctx, 'updateContainer', args, nothing, { mutates: true });
  }
  containerStats(ctx: Context, args: DockerArgs<'containerStats'>): Promise<schemas.DockerStats> {
    return this.#call(ctx, 'containerStats', args, schemas.statsSchema);
  }
  createExec(ctx: Context, args: DockerArgs<'createExec'>): Promise<{ readonly Id: string }> {
    return this.#call(ctx, 'createExec', args, createdExec, { mutates: true });
  }
  inspectExec(ctx: Context, args: DockerArgs<'inspectExec'>): Promise<schemas.ExecInspect> {
    return this.#call(ctx, 'inspectExec', args, schemas.execInspectSchema);
  }
  listImages(ctx: Context, args: DockerArgs<'listImages'>): Promise<readonly schemas.ImageSummary[]> {
    return this.#call(ctx, 'listImages', args, imageSummaries);
  }
  inspectImage(ctx: Context, args: DockerArgs<'inspectImage'>): Promise<schemas.ImageInspect> {
    return this.#call(ctx, 'inspectImage', args, schemas.imageInspectSchema, {
      subject: { kind: 'image', id: args.ref },
    });
  }
  removeImage(ctx: Context, args: DockerArgs<'removeImage'>): Promise<void> {
    return this.#call(ctx, 'removeImage', args, nothing, { subject: { kind: 'image', id: args.ref }, mutates: true });
  }

  async startExec(ctx: Context, args: DockerArgs<'startExec'>): Promise<ExecOutput> {
    const socket = await this.#transport.hijack(ctx, dockerCall('startExec', args));
    const stdout = new BoundedBuffer(args.maxBytes);
    const stderr = new BoundedBuffer(args.maxBytes);
    for await (const { stream, data } of this.#until(ctx, socket, demultiplex(socket)))
      (stream === 'stdout' ? stdout : stderr).append(data);
    ctx.signal.throwIfAborted();
    return { stdout: stdout.bytes(), stderr: stderr.bytes() };
  }

  resizeExec(ctx: Context, args: DockerArgs<'resizeExec'>): Promise<void> {
    return this.#call(ctx, 'resizeExec', args, nothing);
  }
  resizeContainer(ctx: Context, args: DockerArgs<'resizeContainer'>): Promise<void> {
    return this.#call(ctx, 'resizeContainer', args, nothing);
  }
  async startExecAttached(ctx: Context, args: DockerArgs<'startExecAttached'>): Promise<ProcessConnection> {
    return processConnection(await this.#transport.hijack(ctx, dockerCall('startExecAttached', args)), args.tty);
  }
  async attach(ctx: Context, args: AttachArgs): Promise<ProcessConnection> {
    return processConnection(await this.#transport.hijack(ctx, dockerCall('attach', args)), args.tty);
  }

  async pullImage(ctx: Context, args: PullImageArgs): Promise<void> {
    const headers = { 'X-Registry-Auth': registryAuthHeader(args.auth) };
    const body = await this.#transport.stream(ctx, dockerCall('pullImage', args), { headers });
    for await (const line of this.#until(ctx, body, jsonLines(body))) {
      const message = schemas.pullMessageSchema.parse(line);
      if (message.errorDetail || message.error) throw pullError(message);
      args.onMessage(message);
    }
    ctx.signal.throwIfAborted();
  }

  async *archive(ctx: Context, args: { readonly id: string; readonly path: string }): AsyncGenerator<Uint8Array> {
    const body = await this.#transport.stream(ctx, archiveCall(args));
    yield* this.#until(ctx, body, body);
    ctx.signal.throwIfAborted();
  }

  async *logs(ctx: Context, args: LogsArgs): AsyncGenerator<OutputFrame> {
    const body = await this.#transport.stream(ctx, logsCall(args));
    yield* this.#until(ctx, body, args.tty ? rawFrames(body) : demultiplex(body));
  }

  async *events(ctx: Context, args: { filters: DockerFilters; since?: string }): AsyncGenerator<schemas.DockerEvent> {
    const body = await this.#transport.stream(ctx, eventsCall(args.filters, args.since));
    for await (const line of this.#until(ctx, body, jsonLines(body))) yield schemas.eventSchema.parse(line);
  }

  close(): void {
    this.#transport.close();
  }

  async #call<O extends Simple, T>(
    ctx: Context,
    operation: O,
    args: DockerArgs<O>,
    schema: z.ZodType<T>,
    treatment: Treatment = {},
  ): Promise<T> {
    const call = dockerCall(operation, args);
    const outer = treatment.mutates ? withoutCancel(ctx) : ctx;
    try {
      const answer = await withTimeout(outer, treatment.limit ?? this.#timeout, (limited) =>
        this.#transport.request(limited, call, treatment),
      );
      return schema.parse(answer);
    } catch (error) {
      if (error instanceof DeadlineExceededError && !outer.signal.aborted) {
        throw new DockerError('DeadlineExceeded', 'operation timeout: context deadline exceeded', undefined, {
          cause: error,
        });
      }
      if (error instanceof z.ZodError) {
        const request = describeCall(call);
        const text =
          `unexpected answer of the Docker Engine to ${request.method} ${request.path}: ` + z.prettifyError(error);
        throw new DockerError('Internal', text, undefined, { cause: error });
      }
      throw error;
    }
  }

  /**
   * Yields the chunks of a body. Ends when the context is aborted.
   * @throws DockerError if the connection breaks
   */
  async *#until<T>(ctx: Context, body: Pick<DockerStream, 'destroy'>, pieces: AsyncIterable<T>): AsyncGenerator<T> {
    const stop = (): void => void body.destroy();
    ctx.signal.addEventListener('abort', stop, { once: true });
    if (ctx.signal.aborted) stop();
    try {
      yield* pieces;
    } catch (error) {
      if (ctx.signal.aborted) return;
      throw error instanceof DockerError ? error : connectionError(this.endpoint, asError(error));
    } finally {
      ctx.signal.removeEventListener('abort', stop);
      stop();
    }
  }
}

// Constants, because constructing a schema takes longer than parsing a short answer.
const containerSummaries = z.array(schemas.containerSummarySchema);
const imageSummaries = z.array(schemas.imageSummarySchema);
const createdExec = z.object({ Id: z.string() });
const nothing: z.ZodType<void> = z.unknown().transform(() => undefined);

/** Returns the error that the engine reported in the stream of a pull. Upstream: filterHTTPError (libdocker, v1.20). */
function pullError({ error, errorDetail }: schemas.PullMessage): DockerError {
  const message = errorDetail?.message || error || 'unknown error';
  const code = errorDetail?.code ?? 0;
  const isUnavailable = code === 502 || code === 503 || code === 504;
  return new DockerError(
    isUnavailable ? 'Unavailable' : 'Unknown',
    isUnavailable ? `RegistryUnavailable: ${message}` : message,
  );
}

/**
 * Connects to an engine and negotiates the API version.
 * @param timeout the time limit of a single call, in milliseconds
 * @throws DockerError Unavailable if no engine answers
 */
export async function connectDocker(ctx: Context, endpoint: DockerEndpoint, timeout: number): Promise<DockerClient> {
  const transport = new DockerTransport(endpoint);
  try {
    await transport.negotiate(ctx);
  } catch (error) {
    transport.close();
    throw error;
  }
  return new DockerodeClient(transport, timeout);
}
