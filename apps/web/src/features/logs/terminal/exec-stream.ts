/**
 * Runs a command in a container over a WebSocket, in the Kubernetes protocol: each message begins with the number of
 * its channel. Upstream: staging/src/k8s.io/client-go/tools/remotecommand/websocket.go, v5.channel.k8s.io (v1.36).
 */

const stdin = 0;
const stdout = 1;
const stderr = 2;
const error = 3;
const resize = 4;

export interface ExecTarget {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  readonly command: readonly string[];
}

/** The result of the command. The exit code is undefined if it isn't known. */
export interface ExecEnd {
  readonly code: number | undefined;
  readonly message: string | undefined;
}

export interface ExecListener {
  readonly opened: () => void;
  readonly output: (data: Uint8Array) => void;
  readonly ended: (end: ExecEnd) => void;
}

/** The members of WebSocket that this module uses. */
export type ExecSocket = Pick<WebSocket, 'addEventListener' | 'send' | 'close' | 'readyState' | 'binaryType'>;

/** Returns the URL that executes a command with a terminal, on the server of `base`. */
export function execUrl({ namespace, pod, container, command }: ExecTarget, base: string): string {
  const url = new URL(`/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(pod)}/exec`, base);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  url.search = new URLSearchParams([
    ['container', container],
    ...command.map((word) => ['command', word]),
    ['stdin', 'true'],
    ['stdout', 'true'],
    ['tty', 'true'],
  ]).toString();
  return url.href;
}

/** Parses the final status: a metav1.Status that arrives on the error channel. */
export function readEnd(text: string): ExecEnd {
  try {
    const status = JSON.parse(text) as {
      status?: unknown;
      message?: unknown;
      details?: { causes?: readonly { reason?: unknown; message?: unknown }[] };
    } | null;
    if (status?.status === 'Success') return { code: 0, message: undefined };
    const code = status?.details?.causes?.find(({ reason }) => reason === 'ExitCode')?.message;
    return {
      code: typeof code === 'string' ? Number(code) : undefined,
      message: typeof status?.message === 'string' ? status.message : text,
    };
  } catch (problem) {
    if (problem instanceof SyntaxError) return { code: undefined, message: text };
    throw problem;
  }
}

export class ExecStream {
  readonly #socket: ExecSocket;
  #isOver = false;

  constructor(socket: ExecSocket, { opened, output, ended }: ExecListener) {
    this.#socket = socket;
    socket.binaryType = 'arraybuffer';
    const end = (how: ExecEnd): void => {
      if (this.#isOver) return;
      this.#isOver = true;
      ended(how);
    };
    socket.addEventListener('open', () => (this.#isOver ? socket.close() : opened()));
    socket.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      if (!(data instanceof ArrayBuffer) || data.byteLength === 0) return;
      const [channel, ...rest] = [new Uint8Array(data, 0, 1)[0], new Uint8Array(data, 1)];
      const payload = rest[0] ?? new Uint8Array();
      if (channel === stdout || channel === stderr) output(payload);
      else if (channel === error) end(readEnd(new TextDecoder().decode(payload)));
    });
    socket.addEventListener('close', ({ reason }: CloseEvent) =>
      end({ code: undefined, message: reason || undefined }),
    );
  }

  write(text: string): void {
    this.#send(stdin, text);
  }

  /** Sends the size of the terminal, in columns and rows. */
  resize(columns: number, rows: number): void {
    this.#send(resize, JSON.stringify({ Width: columns, Height: rows }));
  }

  /** Closes the stream. If it isn't open yet, it closes later, because browsers log an error otherwise. */
  close(): void {
    this.#isOver = true;
    if (this.#socket.readyState !== 0) this.#socket.close();
  }

  #send(channel: number, text: string): void {
    // Send only while the socket is open (ready state 1).
    if (this.#isOver || this.#socket.readyState !== 1) return;
    const bytes = new TextEncoder().encode(text);
    const message = new Uint8Array(bytes.length + 1);
    message[0] = channel;
    message.set(bytes, 1);
    this.#socket.send(message);
  }
}
