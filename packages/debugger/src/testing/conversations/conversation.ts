/**
 * Plays a debugging conversation on a simulated node with a virtual clock and records it: requests (→), responses (←)
 * and events (·). Tests compare the text with a golden file.
 */
import type { Command, DebugCommandName, DebugResult } from '@podscope/protocol';
import type { TraceEvent } from '@podscope/trace';
import type { ConversationNode } from './conversation-node.ts';
import { type DebugClient, RefusedError } from './debug-client.ts';
import { describeEvent } from './describe-event.ts';
import { inline, StableText, show } from './golden-text.ts';

/** Maximum virtual time to wait for a condition: 15 minutes, in milliseconds. */
const timeout = 900_000;

/** Selects the part of a response to record. */
export type Pick<T> = (result: T) => unknown;

export class Conversation {
  readonly node: ConversationNode;
  readonly #connect: () => Promise<DebugClient>;
  readonly #lines: string[] = [];
  readonly #mask = new StableText();
  readonly #start: number;
  #client: DebugClient | undefined;
  #reported = 0;

  constructor(node: ConversationNode, connect: () => Promise<DebugClient>) {
    this.node = node;
    this.#connect = connect;
    this.#start = node.clock.now();
  }

  /** The recorded text. */
  get text(): string {
    return `${this.#lines.join('\n')}\n`;
  }

  async connect(): Promise<void> {
    this.#client = await this.#connect();
  }

  /** Disconnects the client. */
  async leave(): Promise<void> {
    this.#write('→ (the client leaves)');
    await this.#client?.close();
    this.#client = undefined;
    // The node notices the closed connection only in a later turn.
    await until(() => this.node.sessionCount === 0);
    await this.node.clock.settle();
  }

  async close(): Promise<void> {
    await this.#client?.close();
  }

  /** Records a comment. */
  note(text: string): void {
    this.#write(`# ${text}`);
  }

  /**
   * Sends a command and records its response. With `pick`, only the result of `pick` is recorded, and nothing if that
   * result is undefined.
   */
  async send<Name extends DebugCommandName>(
    command: Extract<Command, { command: Name }>,
    pick?: Pick<DebugResult<Name>>,
  ): Promise<DebugResult<Name>> {
    const { command: name, ...rest } = command as Command;
    this.#write(`→ ${name} ${inline(rest)}`.trimEnd());
    try {
      const result = (await this.#require().request(command)) as DebugResult<Name>;
      const shown = pick ? pick(result) : result;
      if (shown !== undefined && !(typeof shown === 'object' && shown !== null && Object.keys(shown).length === 0))
        this.#write(show(shown, '← '));
      await this.node.clock.settle();
      return result;
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      this.#write(`← refused: ${error.reason}: ${error.message}`);
      return {} as DebugResult<Name>;
    }
  }

  /** Applies manifests. */
  async apply(manifest: string): Promise<void> {
    await this.node.apply(manifest);
    for (const { metadata } of this.node.pods()) this.#mask.name(metadata.uid, `<uid ${metadata.name}>`);
    await this.node.clock.settle();
  }

  uid(pod: string): string {
    const uid = this.node.pod(pod)?.metadata.uid;
    if (uid === undefined) throw new Error(`there is no pod ${pod}`);
    return uid;
  }

  /** Advances virtual time until the pod's worker stops, and records the events until then. */
  async untilStopped(pod: string): Promise<string> {
    const uid = this.uid(pod);
    await this.node.until(() => this.#stops().has(uid), timeout);
    await this.happened();
    return uid;
  }

  /** Advances virtual time until the condition is true, and records the events until then. */
  async until(what: string, condition: () => boolean): Promise<void> {
    await this.node.until(condition, timeout);
    await this.happened();
    this.#write(`# ${what}`);
  }

  untilRunning(pod: string): Promise<void> {
    return this.until(`${pod} is running`, () => this.node.pod(pod)?.status?.phase === 'Running');
  }

  /** Advances virtual time and records the events. */
  async pass(seconds: number): Promise<void> {
    await this.node.clock.advance(seconds * 1_000);
    await this.happened();
    this.#write(`# ${seconds} s later`);
  }

  /** Records the events since the last call of this method. */
  async happened(): Promise<void> {
    const { log } = this.node;
    const last = log.lastSeq;
    const events: readonly TraceEvent[] = this.#client ? await this.#client.eventsUpTo(last) : log.after(0);
    for (const event of events) {
      if (event.seq <= this.#reported || event.seq > last) continue;
      const text = describeEvent(event);
      if (text !== undefined) this.#write(`· ${this.#since(event.time)} ${text}`);
    }
    this.#reported = last;
  }

  #stops(): ReadonlySet<string> {
    return new Set(this.node.debugger.state().stopped.map(({ thread }) => thread));
  }

  #since(time: number): string {
    return `${((time - this.#start) / 1_000).toFixed(1)}s`;
  }

  #require(): DebugClient {
    if (!this.#client) throw new Error('the client has left');
    return this.#client;
  }

  #write(text: string): void {
    this.#lines.push(this.#mask.apply(text));
  }
}

/** Waits for a condition that doesn't depend on the virtual clock. */
async function until(condition: () => boolean): Promise<void> {
  for (let turn = 0; turn < 10_000 && !condition(); turn++) await new Promise((resolve) => setImmediate(resolve));
  if (!condition()) throw new Error(`it did not come about: ${String(condition)}`);
}
