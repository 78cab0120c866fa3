/**
 * Serves `pods/exec`, `pods/attach` and `pods/portforward`. Their connections are upgraded from HTTP. The caller must
 * have checked origin and token. Upstream: pkg/registry/core/pod/rest/subresources.go and the kubelet's getExec,
 * getAttach, getPortForward (v1.36).
 */
import { type ApiError, asApiError, badRequest, readOnlyServer } from '@podscope/apiserver';
import type { ContainerStreams } from '@podscope/cri';
import { type Pod, workerUID } from '@podscope/k8s';
import type { NodeHost } from '@podscope/node';
import { StreamingServer, servePortForward, serveRemoteCommand, type UpgradeRequest } from '@podscope/streaming';
import { type Context, withPod, withSignal } from '@podscope/trace';
import { requestUrl } from '../../http/request-url.ts';
import { type ApiRequest, parseApiPath } from '../requests/request-info.ts';
import { ContainerNotFoundError, containerOf, readySandboxID, runningContainerID } from './pod-containers.ts';

const streamSubresources = ['attach', 'exec', 'portforward'] as const;
type StreamSubresource = (typeof streamSubresources)[number];

interface StreamTarget extends ApiRequest {
  readonly stream: StreamSubresource;
}

/** Returns the stream that a path requests, or undefined for any other path. */
export function parseStreamPath(path: string): StreamTarget | undefined {
  try {
    const target = parseApiPath(path);
    const stream = streamSubresources.find((each) => each === target?.subresource);
    return target && stream && target.resource.name === 'pods' && target.groupVersion.group === ''
      ? { ...target, stream }
      : undefined;
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

export interface PodStreamsOptions {
  readonly nodeHost: NodeHost;
  readonly streams: ContainerStreams;
}

/** Parses a boolean query parameter like Go's strconv.ParseBool. Invalid values are false. */
const isTrue = (query: URLSearchParams, name: string): boolean =>
  /^(1|t|T|TRUE|true|True)$/.test(query.get(name) ?? '');

/** Serves the streams of a node's pods. */
export class PodStreams {
  readonly #nodeHost: NodeHost;
  readonly #streams: ContainerStreams;

  constructor({ nodeHost, streams }: PodStreamsOptions) {
    this.#nodeHost = nodeHost;
    this.#streams = streams;
  }

  /**
   * Serves one request. Resolves when its connection is closed. Never rejects, because errors are sent to the client.
   */
  async serve(upgrade: UpgradeRequest, target: StreamTarget): Promise<void> {
    try {
      if (this.#nodeHost.readOnly) throw readOnlyServer(`pods/${target.stream}`);
      const { searchParams: query } = requestUrl(upgrade.request);
      const pod = this.#nodeHost.api.storage.mustGet('Pod', target.namespace, target.name ?? '');
      if (target.stream === 'portforward') await this.#portForward(upgrade, pod, query);
      else await this.#remoteCommand(upgrade, target.stream, pod, query);
    } catch (error) {
      answer(upgrade, error);
    }
  }

  async #remoteCommand(
    upgrade: UpgradeRequest,
    kind: 'attach' | 'exec',
    pod: Pod,
    query: URLSearchParams,
  ): Promise<void> {
    const container = containerOf(pod, query.get('container') || undefined);
    const command = query.getAll('command');
    const tty = isTrue(query, 'tty');
    const wanted = {
      stdin: isTrue(query, 'stdin'),
      stdout: isTrue(query, 'stdout'),
      stderr: isTrue(query, 'stderr') && !tty,
      tty,
    };
    if (!wanted.stdin && !wanted.stdout && !wanted.stderr)
      throw badRequest('you must specify at least 1 of stdin, stdout, stderr');
    if (kind === 'exec' && command.length === 0)
      throw badRequest('you must specify at least one command for the container');
    const containerId = runningContainerID(this.#nodeHost, pod, container);
    if (kind === 'exec') StreamingServer.checkExec({ containerId, cmd: command, ...wanted });
    const ctx = await this.#begin(kind, pod, { container, ...(kind === 'exec' ? { command } : {}), tty });
    await serveRemoteCommand(
      upgrade,
      wanted,
      (streams, signal) =>
        kind === 'exec'
          ? this.#streams.exec(withSignal(ctx, signal), { containerId, cmd: command }, streams)
          : this.#streams.attach(withSignal(ctx, signal), containerId, streams),
      kind === 'attach' ? { failurePrefix: 'error attaching to container' } : {},
    );
  }

  async #portForward(upgrade: UpgradeRequest, pod: Pod, query: URLSearchParams): Promise<void> {
    const ports = query
      .getAll('ports')
      .flatMap((text) => text.split(','))
      .map(Number);
    const bad = ports.find((port) => !Number.isInteger(port) || port < 1 || port > 65_535);
    if (bad !== undefined) throw badRequest(`ports: Invalid value: ${bad}: must be between 1 and 65535, inclusive`);
    const sandbox = readySandboxID(this.#nodeHost, pod);
    const ctx = await this.#begin('portForward', pod, ports.length > 0 ? { ports } : {});
    await servePortForward(
      upgrade,
      (port, connection, signal) => this.#streams.portForward(withSignal(ctx, signal), sandbox, port, connection),
      { ports },
    );
  }

  /** Emits the command to the event log and returns the context of the stream. */
  #begin(command: string, pod: Pod, details: Readonly<Record<string, unknown>>): Promise<Context> {
    const { name, namespace = '' } = pod.metadata;
    const uid = workerUID(pod);
    return this.#nodeHost.change((nodeHost) => {
      const ctx = withPod(nodeHost.context('api'), { uid, name, namespace });
      ctx.tracer.emit(ctx, { type: 'command', command, pod: uid, arguments: { namespace, name, ...details } });
      return ctx;
    });
  }
}

/** Rejects a stream with an HTTP response: a Status object, or the kubelet's plain text. */
function answer({ socket }: UpgradeRequest, error: unknown): void {
  if (error instanceof ContainerNotFoundError) respond(socket, 500, 'text/plain; charset=utf-8', error.message);
  else respondStatus(socket, asApiError(error));
}

const respondStatus = (socket: UpgradeRequest['socket'], { code, status }: ApiError): void =>
  respond(socket, code, 'application/json', JSON.stringify(status));

function respond(socket: UpgradeRequest['socket'], code: number, type: string, body: string): void {
  socket.on('error', () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${code} Refused\r\nConnection: close\r\nContent-Type: ${type}\r\nContent-Length: ` +
      `${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

/** Returns the error for a stream request without an upgrade. Upstream: UpgradeAwareHandler with UpgradeRequired. */
export const upgradeRequired = (): ApiError => badRequest('Upgrade request required');
