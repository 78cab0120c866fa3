/**
 * Implements a connection to a D-Bus peer over a Unix socket: authentication, method calls and signals. Upstream:
 * github.com/godbus/dbus/v5 (conn.go).
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type DBusMessage, type DBusValue, decodeMessage, encodeMessage, messageTypes } from './dbus-codec.ts';

/** Maximum duration of a call, in milliseconds. */
const callTimeout = 30_000;

export interface DBusCall {
  readonly destination: string;
  readonly path: string;
  readonly interface: string;
  readonly member: string;
  readonly signature?: string;
  readonly body?: readonly DBusValue[];
}

interface PendingCall {
  readonly resolve: (body: readonly DBusValue[]) => void;
  readonly reject: (error: Error) => void;
}

/** Thrown when the peer answers a call with an error. */
export class DBusError extends Error {
  override readonly name: string;

  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}

export class DBusConnection {
  readonly #socket: Socket;
  readonly #pending = new Map<number, PendingCall>();
  readonly #listeners = new Set<(signal: DBusMessage) => void>();
  #received: Buffer;
  #serial = 0;

  private constructor(socket: Socket, received: Buffer) {
    this.#socket = socket;
    this.#received = received;
    socket.on('data', (chunk: Buffer) => this.#onData(chunk));
    socket.on('error', (error) => this.#fail(error));
    socket.on('close', () => this.#fail(new Error('the D-Bus connection was closed')));
  }

  /** Connects and authenticates as the user of this process (SASL EXTERNAL). @throws Error when the peer refuses */
  static async open(path: string): Promise<DBusConnection> {
    const socket = connect(path);
    try {
      await once(socket, 'connect');
      const identity = Buffer.from(String(process.getuid?.() ?? 0)).toString('hex');
      // The protocol requires a null byte before the first command.
      socket.write(`\0AUTH EXTERNAL ${identity}\r\n`);
      const { line, rest } = await readLine(socket);
      if (!line.startsWith('OK ')) throw new Error(`D-Bus authentication failed: ${line}`);
      socket.write('BEGIN\r\n');
      return new DBusConnection(socket, rest);
    } catch (error) {
      socket.destroy();
      throw error;
    }
  }

  /** Calls a method and returns the values of its reply. @throws DBusError with the peer's error */
  async call({ signature, body = [], ...target }: DBusCall): Promise<readonly DBusValue[]> {
    const serial = ++this.#serial;
    const message = encodeMessage({ type: messageTypes.methodCall, serial, ...target, signature, body });
    const reply = new Promise<readonly DBusValue[]>((resolve, reject) =>
      this.#pending.set(serial, { resolve, reject }),
    );
    const timer = setTimeout(
      () => this.#pending.get(serial)?.reject(new Error(`${target.member} timed out`)),
      callTimeout,
    );
    this.#socket.write(message);
    try {
      return await reply;
    } finally {
      clearTimeout(timer);
      this.#pending.delete(serial);
    }
  }

  /** Calls `listener` for every signal. @returns a function that removes the listener */
  onSignal(listener: (signal: DBusMessage) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  close(): void {
    this.#socket.destroy();
  }

  #onData(chunk: Buffer): void {
    this.#received = Buffer.concat([this.#received, chunk]);
    try {
      for (let next = decodeMessage(this.#received); next; next = decodeMessage(this.#received)) {
        this.#received = this.#received.subarray(next.length);
        this.#onMessage(next.message);
      }
    } catch (error) {
      this.#socket.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #onMessage(message: DBusMessage): void {
    if (message.type === messageTypes.signal) {
      for (const listener of this.#listeners) listener(message);
      return;
    }
    const call = this.#pending.get(message.replySerial ?? 0);
    if (message.type === messageTypes.methodReturn) call?.resolve(message.body);
    if (message.type === messageTypes.error) {
      const [text] = message.body;
      call?.reject(new DBusError(message.errorName ?? 'D-Bus error', typeof text === 'string' ? text : ''));
    }
  }

  #fail(error: Error): void {
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
  }
}

/** Reads one line of the authentication and returns the bytes after it. */
async function readLine(socket: Socket): Promise<{ readonly line: string; readonly rest: Buffer }> {
  let received = Buffer.alloc(0);
  for (;;) {
    const end = received.indexOf('\r\n');
    if (end >= 0) return { line: received.toString('utf8', 0, end), rest: received.subarray(end + 2) };
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    received = Buffer.concat([received, chunk]);
  }
}
