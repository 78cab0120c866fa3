/** Carries a command's streams over one WebSocket. Each message begins with the number of its channel. */
import type { ByteSink } from '@podscope/cri';
import type { RawData, WebSocket } from 'ws';
import { PushQueue } from '../push-queue.ts';
import { type AcceptedWebSocket, acceptWebSocket, type UpgradeRequest } from '../upgrade.ts';
import { abortedWhen, type OpenStreams } from './channels.ts';
import { encodeOutcome } from './outcome.ts';
import { channels, hasJsonStatus, isBase64, type RemoteCommandStreams, webSocketProtocols } from './protocols.ts';
import { readSizes } from './resize.ts';

/** Reading pauses above this number of pending bytes. */
const maxUnreadBytes = 1024 * 1024;

/** A WebSocket with messages that begin with a channel. */
export class ChannelSocket {
  /** Resolves at the end of the connection. */
  readonly closed: Promise<void>;
  readonly #socket: WebSocket;
  readonly #isText: boolean;
  readonly #canClose: boolean;
  readonly #queues = new Map<number, PushQueue<Uint8Array>>();
  #unread = 0;

  /**
   * @param readable channels from which this end reads, i.e. on which the client may send; messages on other channels
   *   are dropped
   */
  constructor({ socket, protocol }: AcceptedWebSocket, readable: readonly number[]) {
    this.#socket = socket;
    this.#isText = isBase64(protocol);
    this.#canClose = protocol.startsWith('v5.');
    const onTake = (data: Uint8Array): void => this.#taken(data.length);
    for (const channel of readable) this.#queues.set(channel, new PushQueue(onTake));
    socket.on('message', (data, isBinary) => this.#receive(data, isBinary));
    // After an error, the WebSocket also emits `close`, so the error needs no handling.
    socket.on('error', () => undefined);
    this.closed = new Promise((resolve) =>
      socket.once('close', () => {
        for (const queue of this.#queues.values()) queue.end();
        resolve();
      }),
    );
  }

  /** Returns the data that the client sends on a channel. */
  source(channel: number): AsyncIterable<Uint8Array> {
    return this.#queues.get(channel) ?? new PushQueue();
  }

  sink(channel: number): ByteSink {
    return { write: (data) => (data.length > 0 ? this.send(channel, data) : Promise.resolve()) };
  }

  /** Sends one message. Resolves when the connection accepts more. */
  send(channel: number, data: Uint8Array): Promise<void> {
    const message = this.#isText
      ? `${channel}${Buffer.from(data).toString('base64')}`
      : Buffer.concat([Buffer.from([channel]), data]);
    return new Promise((resolve, reject) => {
      this.#socket.send(message, (error) => (error ? reject(error) : resolve()));
    });
  }

  async close(): Promise<void> {
    this.#socket.close(1000);
    await this.closed;
  }

  #receive(raw: RawData, isBinary: boolean): void {
    const bytes = Array.isArray(raw) ? Buffer.concat(raw) : Buffer.from(raw as Buffer);
    if (bytes.length === 0) return;
    const isEncoded = this.#isText && !isBinary;
    const channel = isEncoded ? Number(String.fromCharCode(bytes[0] ?? 0)) : (bytes[0] ?? 0);
    const data = isEncoded ? Buffer.from(bytes.toString('latin1', 1), 'base64') : bytes.subarray(1);
    if (channel === channels.close && this.#canClose) {
      this.#queues.get(data[0] ?? -1)?.end();
      return;
    }
    if (data.length === 0 || !this.#queues.get(channel)?.push(data)) return;
    this.#unread += data.length;
    if (this.#unread >= maxUnreadBytes) this.#socket.pause();
  }

  #taken(bytes: number): void {
    this.#unread -= bytes;
    if (this.#unread < maxUnreadBytes && this.#socket.isPaused) this.#socket.resume();
  }
}

/** Returns the streams. Upstream: createWebSocketStreams (kubelet remotecommand, v1.36). */
export async function openWebSocketStreams(
  upgrade: UpgradeRequest,
  wanted: RemoteCommandStreams,
): Promise<OpenStreams> {
  const accepted = await acceptWebSocket(upgrade, webSocketProtocols);
  const readable = [...(wanted.stdin ? [channels.stdin] : []), ...(wanted.tty ? [channels.resize] : [])];
  const connection = new ChannelSocket(accepted, readable);
  // Informs the client that the connection is open.
  await connection.send(
    wanted.stdout ? channels.stdout : wanted.stderr ? channels.stderr : channels.error,
    new Uint8Array(),
  );
  return {
    streams: {
      tty: wanted.tty,
      ...(wanted.stdin ? { stdin: connection.source(channels.stdin) } : {}),
      ...(wanted.stdout ? { stdout: connection.sink(channels.stdout) } : {}),
      ...(wanted.stderr ? { stderr: connection.sink(channels.stderr) } : {}),
      ...(wanted.tty ? { resize: readSizes(connection.source(channels.resize)) } : {}),
    },
    signal: abortedWhen(connection.closed),
    async finish(outcome) {
      const reported = encodeOutcome(outcome, hasJsonStatus(accepted.protocol));
      if (reported) await connection.send(channels.error, reported).catch(() => undefined);
      await connection.close();
    },
  };
}
