/**
 * Runs a server in a separate process that can be killed, suspended and have its clock changed, with a client that
 * records what it receives.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Pod } from '@podscope/k8s';
import { protocolVersion, type ServerMessage, serverMessageSchema } from '@podscope/protocol';
import { repositoryRoot } from '@podscope/server/embed';
import { WebSocket } from 'ws';
import { z } from 'zod';

const podList = z.object({
  items: z.array(
    z.custom<Pod>((value) => z.looseObject({ metadata: z.looseObject({ name: z.string() }) }).safeParse(value).success),
  ),
});
/** Time limit of a command in milliseconds. It is long, because a daemon may be down or a process suspended. */
const answerLimit = 60_000;

/** The events of one run that a client has received. */
export interface Delivery {
  run: string | undefined;
  last: number;
  /** Events that were duplicated or out of order. */
  readonly problems: string[];
}

export type StartInside = (command: readonly string[]) => ChildProcess;

/** Thrown when the server refuses a command, or when the outcome of a command is unknown. */
export class UnansweredError extends Error {
  override readonly name = 'UnansweredError';
}

export class ServerProcess {
  readonly delivery: Delivery = { run: undefined, last: 0, problems: [] };
  readonly port: number;
  readonly token: string;
  readonly #child: ChildProcess;
  readonly #socket: WebSocket;
  readonly #answers = new Map<number, (message: ServerMessage | undefined) => void>();
  #lastId = 0;

  private constructor(child: ChildProcess, { port, token }: Pick<ServerProcess, 'port' | 'token'>, socket: WebSocket) {
    this.#child = child;
    this.port = port;
    this.token = token;
    this.#socket = socket;
    socket.on('message', (data: Buffer) => this.#take(serverMessageSchema.parse(JSON.parse(data.toString('utf8')))));
    // A killed server doesn't close its socket cleanly.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      for (const answer of this.#answers.values()) answer(undefined);
    });
  }

  /** Starts a server and waits until it serves. @throws Error with the server's output if it exits before that */
  static async start(spawnServer: StartInside, args: readonly string[], token = 'chaos-token'): Promise<ServerProcess> {
    const clock = join(import.meta.dirname, 'jumping-clock.process.ts');
    const main = join(repositoryRoot, 'apps/server/src/main.ts');
    const child = spawnServer([
      process.execPath,
      '--import',
      clock,
      main,
      '--port',
      '0',
      '--no-build',
      '--token',
      token,
      ...args,
    ]);
    let text = '';
    const port = await new Promise<number>((resolve, reject) => {
      child.stdout?.on('data', (chunk: Buffer) => {
        text += chunk.toString('utf8');
        const found = /http:\/\/127\.0\.0\.1:(\d+)\//.exec(text);
        if (found && text.includes('Ctrl+C')) resolve(Number(found[1]));
      });
      child.stderr?.on('data', (chunk: Buffer) => {
        text = (text + chunk.toString('utf8')).slice(-20_000);
      });
      child.once('close', () => reject(new Error(`the server ended: ${text}`)));
    });
    const socket = new WebSocket(`ws://127.0.0.1:${port}/stream`, { headers: { Authorization: `Bearer ${token}` } });
    const server = new ServerProcess(child, { port, token }, socket);
    await once(socket, 'open');
    socket.send(JSON.stringify({ type: 'hello', protocol: protocolVersion }));
    return server;
  }

  /** Returns false once the process has exited. */
  get runs(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  #take(message: ServerMessage): void {
    if (message.type === 'welcome') {
      this.delivery.run = message.node.run;
      this.delivery.last = message.after;
    } else if (message.type === 'events') {
      for (const { seq } of message.events) {
        if (seq !== this.delivery.last + 1)
          this.delivery.problems.push(`run ${this.delivery.run}: event ${seq} was sent after ${this.delivery.last}`);
        this.delivery.last = seq;
      }
    } else if (message.type === 'response' || message.type === 'failure') this.#answers.get(message.id)?.(message);
  }

  /** Sends a command. @throws UnansweredError if the server refuses it, exits before it answers, or takes too long */
  async ask(body: object): Promise<unknown> {
    const id = ++this.#lastId;
    const answer = await new Promise<ServerMessage | undefined>((resolve) => {
      const limit = setTimeout(() => resolve(undefined), answerLimit);
      this.#answers.set(id, (message) => {
        clearTimeout(limit);
        resolve(message);
      });
      if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify({ type: 'command', id, body }));
      else resolve(undefined);
    });
    this.#answers.delete(id);
    if (answer?.type === 'response') return answer.result;
    throw new UnansweredError(answer?.type === 'failure' ? answer.message : 'the server gave no answer');
  }

  /** Returns all pods of the server. */
  async pods(): Promise<readonly Pod[]> {
    const answer = await fetch(`http://127.0.0.1:${this.port}/api/v1/pods`, {
      headers: { Authorization: `Bearer ${this.token}` },
    });
    return podList.parse(await answer.json()).items;
  }

  /** Resolves when the server answers its health check. */
  async health(): Promise<void> {
    await (await fetch(`http://127.0.0.1:${this.port}/healthz`)).text();
  }

  get pid(): number {
    return this.#child.pid ?? -1;
  }

  /**
   * Shifts the server's wall clock.
   * @param by milliseconds
   */
  jump(by: number): void {
    if (this.#child.connected) this.#child.send(by);
  }

  /** Sends SIGSTOP or SIGCONT. */
  suspend(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#child.kill(signal);
  }

  /** Ends the process; with SIGTERM it shuts down gracefully. @returns its exit code, or null if a signal ended it */
  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    if (this.runs) {
      const ended = once(this.#child, 'close');
      this.#child.kill(signal);
      await ended;
    }
    this.#socket.terminate();
    return this.#child.exitCode;
  }
}
