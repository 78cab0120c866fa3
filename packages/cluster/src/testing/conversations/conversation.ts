/**
 * Plays a debugging conversation on a cluster of the simulator with a virtual clock and writes it down: what the client says (→), what it
 * is answered (←), what happens (·). The text is compared with a golden one beside the scenarios.
 */
import type { Command, DebugCommandName, DebugResult } from '@podscope/protocol';
import type { TraceEvent } from '@podscope/trace';
import type { TestCluster } from '../test-cluster.ts';
import { type DebugClient, RefusedError } from './debug-client.ts';
import { describeEvent } from './describe-event.ts';
import { inline, Masker, show } from './golden-text.ts';

/** Virtual time in which something a conversation waits for has to happen. */
const patience = 900_000;

/** Picks what is worth showing of an answer. */
export type Pick<T> = (result: T) => unknown;

export class Conversation {
  readonly node: TestCluster;
  readonly #connect: () => Promise<DebugClient>;
  readonly #lines: string[] = [];
  readonly #mask = new Masker();
  readonly #start: number;
  #client: DebugClient | undefined;
  #told = 0;

  constructor(node: TestCluster, connect: () => Promise<DebugClient>) {
    this.node = node;
    this.#connect = connect;
    this.#start = node.clock.now();
  }

  /** The text so far. */
  get text(): string {
    return `${this.#lines.join('\n')}\n`;
  }

  async connect(): Promise<void> {
    this.#client = await this.#connect();
  }

  /** The client leaves. */
  async leave(): Promise<void> {
    this.#write('→ (the client leaves)');
    await this.#client?.close();
    this.#client = undefined;
    // The node hears of it in its own time.
    await until(() => this.node.cluster.sessionCount === 0);
    await this.node.clock.settle();
  }

  async close(): Promise<void> {
    await this.#client?.close();
  }

  /** A line of explanation. */
  note(text: string): void {
    this.#write(`# ${text}`);
  }

  /** Sends a command and writes down its answer: all of it, what `pick` makes of it, or nothing when that gives undefined. */
  async send<Name extends DebugCommandName>(command: Extract<Command, { command: Name }>, pick?: Pick<DebugResult<Name>>): Promise<DebugResult<Name>> {
    const { command: name, ...rest } = command as Command;
    this.#write(`→ ${name} ${inline(rest)}`.trimEnd());
    try {
      const result = (await this.#require().request(command)) as DebugResult<Name>;
      const shown = pick ? pick(result) : result;
      if (shown !== undefined && !(typeof shown === 'object' && shown !== null && Object.keys(shown).length === 0)) this.#write(show(shown, '← '));
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
    for (const { metadata } of this.node.cluster.storage.list('Pod')) this.#mask.name(metadata.uid, `<uid ${metadata.name}>`);
    await this.node.clock.settle();
  }

  uid(pod: string): string {
    const uid = this.node.pod(pod)?.metadata.uid;
    if (uid === undefined) throw new Error(`there is no pod ${pod}`);
    return uid;
  }

  /** Lets virtual time pass until the pod's worker stands still; writes down what happened until then. */
  async untilStopped(pod: string): Promise<string> {
    const uid = this.uid(pod);
    await this.node.until(() => this.#stops().has(uid), patience);
    await this.happened();
    return uid;
  }

  /** Lets virtual time pass until a condition holds; writes down what happened until then. */
  async until(what: string, condition: () => boolean): Promise<void> {
    await this.node.until(condition, patience);
    await this.happened();
    this.#write(`# ${what}`);
  }

  untilRunning(pod: string): Promise<void> {
    return this.until(`${pod} is running`, () => this.node.pod(pod)?.status?.phase === 'Running');
  }

  /** Lets virtual time pass. */
  async pass(seconds: number): Promise<void> {
    await this.node.clock.advance(seconds * 1_000);
    await this.happened();
    this.#write(`# ${seconds} s later`);
  }

  /** Writes down what has happened since the last time. */
  async happened(): Promise<void> {
    const { log } = this.node.cluster;
    const last = log.lastSeq;
    const events: readonly TraceEvent[] = this.#client ? await this.#client.eventsUpTo(last) : log.after(0);
    for (const event of events) {
      if (event.seq <= this.#told || event.seq > last) continue;
      const text = describeEvent(event);
      if (text !== undefined) this.#write(`· ${this.#since(event.time)} ${text}`);
    }
    this.#told = last;
  }

  #stops(): ReadonlySet<string> {
    return new Set(this.node.cluster.debugger.state().stopped.map(({ thread }) => thread));
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

/** Waits for something outside the virtual clock. */
async function until(condition: () => boolean): Promise<void> {
  for (let turn = 0; turn < 10_000 && !condition(); turn++) await new Promise((resolve) => setImmediate(resolve));
  if (!condition()) throw new Error(`it did not come about: ${String(condition)}`);
}
