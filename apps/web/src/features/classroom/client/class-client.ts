/**
 * Connects the page to a class. The page's messages are numbered and kept until the server confirms them, so
 * that a lost connection loses nothing.
 */
import {
  applyEvent,
  classProtocol,
  type FromServer,
  fromServerSchema,
  type LearnerMessage,
  type NumberedEvent,
  type RunPart,
  type TeacherMessage,
} from '@podscope/classroom';
import { classSocketAddress } from '../../../node/address/address.ts';
import { type ClassAddress } from '../../../node/address/source-address.ts';
import { retryDelay } from '../../../node/connection/retry.ts';
import { initialClass, useClass } from './class-store.ts';

/** Proves that this browser belongs to a learner who already joined; used after a reload. */
export interface Identity {
  readonly learner: string;
  readonly key: string;
}

export interface ClassClientOptions {
  readonly address: ClassAddress;
  /** The learner's name; ignored for a teacher. */
  readonly name?: string | undefined;
  readonly identity?: Identity | undefined;
  readonly onIdentity?: (identity: Identity) => void;
  /** Receives events of a run: the teacher's run on a learner's page, a learner's run on the teacher's page. */
  readonly onRun: (part: RunPart, learner: string | undefined) => void;
  /** Called after each change of the class state, with the event that caused it. */
  readonly onChange?: (event: NumberedEvent | undefined) => void;
  /** Called after each welcome. */
  readonly onWelcome?: () => void;
}

type ClassMessage = LearnerMessage | TeacherMessage;

const newId = (): string =>
  // The id needn't be secret, because it only distinguishes the teacher's windows.
  `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;

export class ClassClient {
  readonly #options: ClassClientOptions;
  readonly #client = newId();
  #identity: Identity | undefined;
  #socket: WebSocket | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Messages that the server hasn't confirmed. Before the first welcome they have no numbers. */
  #outbox: { n: number | undefined; readonly body: ClassMessage }[] = [];
  #next = 1;
  #isWelcome = false;
  #isClosed = false;

  constructor(options: ClassClientOptions) {
    this.#options = options;
    this.#identity = options.identity;
    useClass.setState({ ...initialClass, phase: 'connecting' });
    this.#connect();
  }

  /** Sends a message of the class, at once or when the connection is back. */
  send(body: ClassMessage): void {
    if (this.#isClosed) return;
    const entry = { n: this.#isWelcome ? this.#next++ : undefined, body };
    this.#outbox.push(entry);
    if (entry.n !== undefined) this.#send({ type: 'message', n: entry.n, body });
  }

  /**
   * Sends events of a run. Without a connection they are dropped, because the sender starts again after each welcome.
   */
  run(part: RunPart): void {
    this.#send({ type: 'run', part });
  }

  /** Connects at once, without waiting for the next attempt. */
  retry(): void {
    if (!this.#socket) this.#connect();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#socket?.close();
  }

  #send(message: unknown): void {
    if (this.#isWelcome && this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #hello(): unknown {
    const { address, name } = this.#options;
    const { state, class: known } = useClass.getState();
    const after = known === undefined ? {} : { after: state.seq };
    const common = { type: 'hello', protocol: classProtocol, ...after };
    if (address.role === 'teacher') return { ...common, role: 'teacher', client: this.#client };
    const { code } = address;
    const resume = this.#identity ? { resume: this.#identity } : {};
    return { ...common, role: 'learner', code, ...(name ? { name } : {}), ...resume };
  }

  #connect(): void {
    clearTimeout(this.#timer);
    const { address } = this.#options;
    const server = address.role === 'learner' ? address.server : undefined;
    const socket = new WebSocket(classSocketAddress(server, address.role));
    this.#socket = socket;
    socket.addEventListener('open', () => socket.send(JSON.stringify(this.#hello())));
    socket.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      if (this.#socket !== socket) return;
      const message = fromServerSchema.safeParse(JSON.parse(String(data)));
      if (message.success) this.#hear(message.data);
    });
    socket.addEventListener('close', () => {
      if (this.#socket !== socket) return;
      this.#socket = undefined;
      this.#isWelcome = false;
      if (!this.#isClosed) this.#retryLater();
    });
  }

  #retryLater(): void {
    const attempts = useClass.getState().attempts + 1;
    useClass.setState({ phase: useClass.getState().class === undefined ? 'connecting' : 'away', attempts });
    this.#timer = setTimeout(() => this.#connect(), retryDelay(attempts, Math.random()));
  }

  #hear(message: FromServer): void {
    switch (message.type) {
      case 'welcome':
        this.#welcome(message);
        break;
      case 'event':
        // Ignore events before the welcome, because they only make sense with the welcome's state.
        if (this.#isWelcome) this.#apply(message.event);
        break;
      case 'confirmed':
        this.#outbox = this.#outbox.filter(({ n }) => n === undefined || n > message.n);
        break;
      case 'run':
        this.#options.onRun(message.part, message.learner);
        break;
      case 'refused':
        this.#refused(message.reason);
        break;
      default:
        message satisfies never;
    }
  }

  #refused(reason: Extract<FromServer, { type: 'refused' }>['reason']): void {
    // The reason `tooMany` applies for only a minute, so the client tries again. Every other reason is final.
    if (reason !== 'tooMany') this.#isClosed = true;
    useClass.setState({ phase: 'refused', refusal: reason });
  }

  #apply(event: NumberedEvent): void {
    useClass.setState(({ state }) => ({ state: applyEvent(state, event) }));
    this.#options.onChange?.(event);
  }

  #welcome({
    class: id,
    now,
    confirmed,
    you,
    joinInfo,
    state,
    events,
  }: Extract<FromServer, { type: 'welcome' }>): void {
    const known = useClass.getState();
    // Another class runs at the same address, so discard everything known about the previous one.
    if (state === undefined && known.class !== id) {
      useClass.setState({ class: undefined });
      this.#socket?.close();
      return;
    }
    if (you) {
      this.#identity = you;
      this.#options.onIdentity?.(you);
    }
    useClass.setState({
      phase: 'live',
      class: id,
      attempts: 0,
      refusal: undefined,
      skew: now - Date.now(),
      ...(state ? { state } : {}),
      ...(you ? { you: you.learner } : {}),
      ...(joinInfo ? { joinInfo } : {}),
    });
    for (const event of events ?? []) this.#apply(event);
    this.#isWelcome = true;
    const pending = this.#outbox.filter(({ n }) => n === undefined || n > confirmed);
    this.#next = Math.max(this.#next, confirmed + 1);
    for (const entry of pending) {
      entry.n ??= this.#next++;
      this.#send({ type: 'message', n: entry.n, body: entry.body });
    }
    this.#outbox = pending;
    this.#options.onWelcome?.();
    this.#options.onChange?.(undefined);
  }
}

let client: ClassClient | undefined;

/** Joins the class of the page. */
export function openClass(options: ClassClientOptions): ClassClient {
  client?.close();
  client = new ClassClient(options);
  return client;
}

/** Sends a message to the class that the page takes part in. */
export const sendToClass = (body: ClassMessage): void => client?.send(body);
export const sendRun = (part: RunPart): void => client?.run(part);
export const retryClass = (): void => client?.retry();
