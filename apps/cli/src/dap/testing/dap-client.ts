/** A DAP client for tests: speaks to a session through the framing, and keeps the events it is sent. */
import type { Readable, Writable } from 'node:stream';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { FramingError, frameMessage, MessageReader } from '../framing.ts';
import { DapSession, type DapSessionOptions } from '../session.ts';

/** The adapter refused a request. */
export class DapRefusal extends Error {
  override readonly name = 'DapRefusal';
  readonly reason: string;

  constructor(reason: string, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Repository root that clients of tests see. */
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
  /** Takes a message to the adapter. */
  readonly #carry: (bytes: Buffer) => void;
  readonly #fromAdapter = new MessageReader();
  readonly #pending = new Map<number, (response: DebugProtocol.Response) => void>();
  #waiting: (() => void)[] = [];
  #seq = 0;

  /** @param where options of a session in this process, or the streams that lead to an adapter outside */
  constructor(where: Pick<DapSessionOptions, 'attach' | 'token'> | AdapterStreams = {}) {
    let end: () => void = () => undefined;
    this.ended = new Promise((resolve) => {
      end = resolve;
    });
    if ('input' in where) {
      where.output.on('data', (bytes: Buffer) => this.#receive(bytes)).once('close', () => end());
      this.#carry = (bytes) => void where.input.write(bytes);
      return;
    }
    const toAdapter = new MessageReader();
    let work: Promise<void> = Promise.resolve();
    const session = new DapSession({ root: testRoot, onEnd: () => end(), send: (message) => this.#receive(frameMessage(message)), ...where });
    this.#carry = (bytes) => {
      const [message] = toAdapter.push(bytes);
      if (message === undefined) throw new FramingError('a whole message did not come out whole');
      work = work.then(() => session.receive(message));
    };
  }

  /** @throws DapRefusal */
  async request<Response extends DebugProtocol.Response = DebugProtocol.Response>(command: string, args: object = {}): Promise<NonNullable<Response['body']>> {
    const seq = ++this.#seq;
    const answer = new Promise<DebugProtocol.Response>((resolve) => this.#pending.set(seq, resolve));
    this.#carry(frameMessage({ seq, type: 'request', command, arguments: args }));
    const response = await answer;
    if (response.success) return response.body as NonNullable<Response['body']>;
    const { error } = response.body as DebugProtocol.ErrorResponse['body'];
    throw new DapRefusal(response.message ?? '', error?.variables?.['text'] ?? '');
  }

  /** Initialize and attach or launch, breakpoints, configurationDone: as clients do it. */
  async begin(command: 'launch' | 'attach', args: object, configure: () => Promise<unknown> = () => Promise.resolve()): Promise<void> {
    await this.request('initialize', { adapterID: 'podscope' });
    await this.request(command, args);
    await this.event('initialized');
    await configure();
    await this.request('configurationDone');
  }

  /** Waits for an event; those before `from` do not count. */
  async event(name: string, holds: (body: Body) => boolean = () => true, from = 0): Promise<Body> {
    for (;;) {
      const found = this.events.slice(from).find(({ event, body }) => event === name && holds((body ?? {}) as Body));
      if (found) return (found.body ?? {}) as Body;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** What the console shows. */
  get console(): string {
    return this.events.flatMap(({ event, body }) => (event === 'output' ? [(body as DebugProtocol.OutputEvent['body']).output] : [])).join('');
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
