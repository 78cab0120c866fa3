/**
 * Implements a class client that runs without a browser. It computes the state of the class from the events, and
 * numbers its own messages.
 */
import { once } from 'node:events';
import {
  applyEvent,
  type ClassEvent,
  type ClassState,
  classProtocol,
  emptyClass,
  type FromServer,
  fromServerSchema,
  type LearnerMessage,
  type RunPart,
  type TeacherMessage,
} from '@podscope/classroom';
import { WebSocket } from 'ws';

type Listener = (message: FromServer) => void;

/** A learner or a teacher. */
export class ClassMember {
  readonly #url: string;
  readonly #hello: object;
  readonly #headers: Record<string, string>;
  #socket: WebSocket | undefined;
  #you: { learner: string; key: string } | undefined;
  #next = 1;
  #unconfirmed: { n: number; body: LearnerMessage | TeacherMessage }[] = [];
  readonly #listeners = new Set<Listener>();
  state: ClassState = emptyClass(0);
  /** How often the server sent the whole state. */
  snapshots = 0;

  private constructor(url: string, hello: object, headers: Record<string, string>) {
    this.#url = url;
    this.#hello = hello;
    this.#headers = headers;
  }

  /**
   * Joins as a learner.
   * @param name the learner's name; empty for none
   */
  static async learner(port: number, code: string, name: string): Promise<ClassMember> {
    const hello = { role: 'learner', code, ...(name === '' ? {} : { name }) };
    const member = new ClassMember(`ws://127.0.0.1:${port}/class`, hello, {});
    await member.connect();
    return member;
  }

  static async teacher(port: number, token: string): Promise<ClassMember> {
    const headers = { Cookie: `podscope-${port}=${token}` };
    const hello = { role: 'teacher', client: 'teacher' };
    const member = new ClassMember(`ws://127.0.0.1:${port}/class?role=teacher`, hello, headers);
    await member.connect();
    return member;
  }

  /** The learner's id; empty for a teacher. */
  get id(): string {
    return this.#you?.learner ?? '';
  }

  /** Connects, or reconnects after {@link drop}. Resolves with the server's welcome message. */
  async connect(): Promise<void> {
    const socket = new WebSocket(this.#url, { headers: this.#headers });
    this.#socket = socket;
    const welcome = new Promise<void>((resolve, reject) => {
      socket.on('message', (data) => {
        const message = fromServerSchema.parse(JSON.parse((data as Buffer).toString('utf8')));
        this.#hear(message);
        if (message.type === 'welcome') resolve();
        if (message.type === 'refused') reject(new Error(`refused: ${message.reason}`));
      });
      socket.on('error', reject);
    });
    await once(socket, 'open');
    const after = this.state.seq > 0 ? { after: this.state.seq } : {};
    const resume = this.#you ? { resume: this.#you } : {};
    socket.send(JSON.stringify({ type: 'hello', protocol: classProtocol, ...this.#hello, ...after, ...resume }));
    await welcome;
  }

  /** Breaks the connection without closing it properly. */
  drop(): void {
    this.#socket?.terminate();
  }

  send(body: LearnerMessage | TeacherMessage): void {
    const entry = { n: this.#next++, body };
    this.#unconfirmed.push(entry);
    this.#send({ type: 'message', ...entry });
  }

  run(part: RunPart): void {
    this.#send({ type: 'run', part });
  }

  /** Calls `listener` for each message. Returns a function that unsubscribes. */
  on(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves when the next event of this type that `matches` accepts arrives. */
  async event<Type extends ClassEvent['type']>(
    type: Type,
    matches: (event: Extract<ClassEvent, { type: Type }>) => boolean = () => true,
  ): Promise<void> {
    await new Promise<void>((resolve) => {
      const stop = this.on((message) => {
        if (message.type !== 'event' || message.event.event.type !== type) return;
        if (!matches(message.event.event as Extract<ClassEvent, { type: Type }>)) return;
        stop();
        resolve();
      });
    });
  }

  #send(message: unknown): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #hear(message: FromServer): void {
    if (message.type === 'confirmed') this.#unconfirmed = this.#unconfirmed.filter(({ n }) => n > message.n);
    if (message.type === 'event') this.state = applyEvent(this.state, message.event);
    if (message.type === 'welcome') {
      if (message.state) {
        this.state = message.state;
        this.snapshots++;
      }
      for (const event of message.events ?? []) this.state = applyEvent(this.state, event);
      this.#you = message.you ?? this.#you;
      this.#unconfirmed = this.#unconfirmed.filter(({ n }) => n > message.confirmed);
      for (const entry of this.#unconfirmed) this.#send({ type: 'message', ...entry });
    }
    for (const listener of this.#listeners) listener(message);
  }
}
