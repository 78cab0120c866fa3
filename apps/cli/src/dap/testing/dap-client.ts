/** Implements a DAP client for tests that talks to a session through the framing and records the events it receives. */
import type { Readable, Writable } from 'node:stream';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { FramingError, frameMessage, MessageReader } from '../framing.ts';
import { DapSession, type DapSessionOptions } from '../session.ts';

/** Thrown when the adapter refuses a request. */
export class DapRefusal extends Error {
  override readonly name = 'DapRefusal';
  readonly reason: string;

  constructor(reason: string, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Root directory of the sources that the adapter reports to test clients. */
export const testRoot = '/repository';

type Body = Readonly<Record<string, unknown>>;

/** An adapter's standard input and output, or a socket for both. */
interface AdapterStreams {
  readonly input: Writable;
  readonly output: Readable;
}

export class DapClient {
  readonly events: DebugProtocol.Event[] = [];
  readonly ended: Promise<void>;
  /** Sends bytes to the adapter. */
  readonly #carry: (bytes: Buffer) => void;
  readonly #fromAdapter = new MessageReader();
  readonly #pending = new Map<number, (response: DebugProtocol.Response) => void>();
  #waiting: (() => void)[] = [];
  #seq = 0;

  /** @param where options of a session in this process, or the streams of an adapter in another process */
  constructor(where: Partial<Omit<DapSessionOptions, 'send' | 'onEnd'>> | AdapterStreams = {}) {
    let end: () => void = () => undefined;
    this.ended = new Promise((resolve) => {
      end = resolve;
    });
    if ('input' in where) {
      where.output.on('data', (bytes: Buffer) => this.#receive(bytes)).once('close', () => end());
      // The adapter can end before it has read everything.
      where.input.on('error', () => undefined);
      this.#carry = (bytes) => void where.input.write(bytes);
      return;
    }
    const toAdapter = new MessageReader();
    let work: Promise<void> = Promise.resolve();
    const session = new DapSession({
      root: testRoot,
      onEnd: () => end(),
      send: (message) => this.#receive(frameMessage(message)),
      ...where,
    });
    this.#carry = (bytes) => {
      const [message] = toAdapter.push(bytes);
      if (message === undefined) throw new FramingError('a whole message did not come out whole');
      work = work.then(() => session.receive(message));
    };
  }

  /** Sends a request and returns the body of the response. @throws DapRefusal */
  async request<Response extends DebugProtocol.Response = DebugProtocol.Response>(
    command: string,
    args: object = {},
  ): Promise<NonNullable<Response['body']>> {
    const seq = ++this.#seq;
    const answer = new Promise<DebugProtocol.Response>((resolve) => this.#pending.set(seq, resolve));
    this.#carry(frameMessage({ seq, type: 'request', command, arguments: args }));
    const response = await answer;
    if (response.success) return response.body as NonNullable<Response['body']>;
    const { error } = response.body as DebugProtocol.ErrorResponse['body'];
    throw new DapRefusal(response.message ?? '', error?.variables?.['text'] ?? '');
  }

  /**
   * Sends initialize, attach or launch, the breakpoints, and configurationDone, in the order in which editors send
   * them.
   */
  async begin(
    command: 'launch' | 'attach',
    args: object,
    configure: () => Promise<unknown> = () => Promise.resolve(),
  ): Promise<void> {
    await this.request('initialize', { adapterID: 'podscope' });
    await this.request(command, args);
    await this.event('initialized');
    await configure();
    await this.request('configurationDone');
  }

  /** Waits for an event. Ignores events before index `from`. */
  async event(name: string, holds: (body: Body) => boolean = () => true, from = 0): Promise<Body> {
    for (;;) {
      const found = this.events.slice(from).find(({ event, body }) => event === name && holds((body ?? {}) as Body));
      if (found) return (found.body ?? {}) as Body;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** Returns the text that was written to the console. */
  get console(): string {
    return this.events
      .flatMap(({ event, body }) => (event === 'output' ? [(body as DebugProtocol.OutputEvent['body']).output] : []))
      .join('');
  }

  async leave(): Promise<void> {
    await this.request('disconnect');
    await this.ended;
  }

  #receive(bytes: Buffer): void {
    for (const message of this.#fromAdapter.push(bytes) as readonly DebugProtocol.ProtocolMessage[]) {
      if (message.type === 'event') {
        this.events.push(message as DebugProtocol.Event);
        for (const wake of this.#waiting.splice(0)) wake();
      } else {
        const response = message as DebugProtocol.Response;
        this.#pending.get(response.request_seq)?.(response);
        this.#pending.delete(response.request_seq);
      }
    }
  }
}
