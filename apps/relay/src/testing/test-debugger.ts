/** Implements a debugger for tests: connects to the control socket, records the relay's messages, and sends answers. */
import { connect, type Socket } from 'node:net';
import {
  type DebuggerMessage,
  encodeHead,
  FrameReader,
  protocolVersion,
  type RelayMessage,
  relayMessageSchema,
} from '@podscope/relay-protocol';

export type Received = RelayMessage & { readonly bytes: Uint8Array };

export class TestDebugger {
  readonly received: Received[] = [];
  /** Called with each message. */
  onMessage: (message: Received) => void = () => undefined;
  readonly #socket: Socket;
  #waiting: { readonly test: (message: Received) => boolean; readonly resolve: (message: Received) => void }[] = [];

  constructor(path: string) {
    this.#socket = connect(path);
    this.#socket.on('error', () => undefined);
    const reader = new FrameReader();
    this.#socket.on('data', (chunk) => {
      for (const { message, bytes } of reader.push(chunk))
        this.#receive({ ...relayMessageSchema.parse(message), bytes });
    });
  }

  /** Connects to the relay. Resolves when the relay has accepted the debugger. */
  static async connected(
    path: string,
    methods: readonly string[] = [],
    after: readonly string[] = [],
  ): Promise<TestDebugger> {
    const debug = new TestDebugger(path);
    await debug.next((message) => message.type === 'hello');
    debug.send({ type: 'hello', protocol: protocolVersion, version: 'test' });
    debug.send({ type: 'ask', methods: [...methods], after: [...after] });
    // The relay calls the runtime's lists after it has read both messages, so wait for these calls.
    await debug.next((message) => message.type === 'callOpened' && message.origin === 'relay');
    return debug;
  }

  send(message: DebuggerMessage): void {
    this.#socket.write(encodeHead(message));
  }

  /** Returns the first message that passes the test, among messages that were already received and later ones. */
  next(test: (message: Received) => boolean): Promise<Received> {
    const known = this.received.find(test);
    if (known) return Promise.resolve(known);
    return new Promise((resolve) => {
      this.#waiting.push({ test, resolve });
    });
  }

  ofType<T extends RelayMessage['type']>(type: T): (Received & { type: T })[] {
    return this.received.filter((message): message is Received & { type: T } => message.type === type);
  }

  close(): void {
    this.#socket.destroy();
  }

  #receive(message: Received): void {
    this.received.push(message);
    this.#waiting = this.#waiting.filter(({ test, resolve }) => {
      if (!test(message)) return true;
      resolve(message);
      return false;
    });
    this.onMessage(message);
  }
}
