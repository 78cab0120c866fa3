/** Runs a client's commands: each answered once, a bounded number at a time, ended with the connection. */
import type { ApplyResult, Command, LogLine, ServerMessage } from '@podscope/protocol';
import { type Clock, type Milliseconds, sleep } from '@podscope/trace';
import { ApiError, asApiError } from './api-errors.ts';

/** Which part of a container's log a client wants. */
export interface LogRequest {
  readonly namespace: string;
  readonly name: string;
  readonly container: string;
  readonly previous?: boolean;
  readonly tailLines?: number;
  readonly follow?: boolean;
}

/** What a node can be told. Failures are {@link ApiError}s. */
export interface NodeCommands {
  apply(manifest: string): Promise<ApplyResult>;
  validate(manifest: string): Promise<ApplyResult>;
  deletePod(namespace: string, name: string, gracePeriodSeconds: number | undefined): Promise<void>;
  getPodYaml(namespace: string, name: string): string;
  logs(request: LogRequest, signal: AbortSignal): AsyncIterable<LogLine>;
}

/** Commands of one client that may run at a time. */
export const maxRunningCommands = 32;

/** Lines in one message. */
const maxLogLines = 256;
/** Lines of an answer to `logs` when the client does not say. */
const defaultTailLines = 1_000;
/** Most characters in an answer to `logs`: the newest lines are kept. */
const maxLogCharacters = 4 * 1024 * 1024;
/** How long the lines of a followed log may wait for others to share a message. */
const logBatchDelay: Milliseconds = 20;
/** A failure to open a log shows within this time; after it the log counts as open. */
const logOpenDelay: Milliseconds = 100;

export interface CommandRunnerOptions {
  readonly commands: NodeCommands;
  readonly pacing: Clock;
  readonly send: (message: ServerMessage) => void;
  /** True while the client is too far behind to be sent more. */
  readonly congested: () => boolean;
}

/** The commands of one connection. */
export class CommandRunner {
  readonly #options: CommandRunnerOptions;
  readonly #running = new Map<number, AbortController>();

  constructor(options: CommandRunnerOptions) {
    this.#options = options;
  }

  /** Starts a command; its answer goes out by itself. */
  run(id: number, command: Command): void {
    const { send } = this.#options;
    if (this.#running.has(id)) {
      send({ type: 'failure', id, reason: 'BadRequest', message: `A command with id ${id} is running.` });
      return;
    }
    if (this.#running.size >= maxRunningCommands) {
      send({ type: 'failure', id, reason: 'TooManyRequests', message: `At most ${maxRunningCommands} commands run at a time.` });
      return;
    }
    const controller = new AbortController();
    this.#running.set(id, controller);
    void this.#execute(id, command, controller.signal).finally(() => this.#running.delete(id));
  }

  /** Ends everything that runs. */
  close(): void {
    for (const controller of this.#running.values()) controller.abort(new ApiError(499, 'Canceled', 'The connection was closed.'));
  }

  async #execute(id: number, command: Command, signal: AbortSignal): Promise<void> {
    const { send } = this.#options;
    try {
      if (command.command === 'followLogs') await this.#followLogs(id, command, signal);
      else send({ type: 'response', id, ok: true, result: await this.#result(command, signal) });
    } catch (error) {
      const { reason, message } = asApiError(error);
      send({ type: 'failure', id, reason, message });
    }
  }

  async #result(command: Exclude<Command, { command: 'followLogs' }>, signal: AbortSignal): Promise<unknown> {
    const { commands } = this.#options;
    switch (command.command) {
      case 'apply':
        return commands.apply(command.manifest);
      case 'validate':
        return commands.validate(command.manifest);
      case 'deletePod':
        await commands.deletePod(command.namespace, command.name, command.gracePeriodSeconds);
        return {};
      case 'getPodYaml':
        return { yaml: commands.getPodYaml(command.namespace, command.name) };
      case 'logs':
        return { lines: await collect(commands.logs({ ...command, tailLines: command.tailLines ?? defaultTailLines }, signal)) };
      case 'cancel':
        this.#running.get(command.target)?.abort(new ApiError(499, 'Canceled', 'The command was canceled.'));
        return {};
      default:
        return command satisfies never;
    }
  }

  async #followLogs(id: number, request: Extract<Command, { command: 'followLogs' }>, signal: AbortSignal): Promise<void> {
    const { commands, send } = this.#options;
    const iterator = commands.logs({ ...request, follow: true }, signal)[Symbol.asyncIterator]();
    let answered = false;
    try {
      let next = iterator.next();
      await Promise.race([next, this.#wait(logOpenDelay, signal)]);
      send({ type: 'response', id, ok: true, result: { lines: [] } });
      answered = true;
      for (let done = false; !done; ) {
        const lines: LogLine[] = [];
        let item = await next;
        // What follows within a moment shares the message.
        const deadline = this.#wait(logBatchDelay, signal).then(() => undefined);
        while (!item.done) {
          lines.push(item.value);
          next = iterator.next();
          const following = lines.length < maxLogLines ? await Promise.race([next, deadline]) : undefined;
          if (!following) break;
          item = following;
        }
        done = item.done === true;
        if (lines.length > 0) send({ type: 'logLines', id, lines, end: false });
        while (this.#options.congested() && !signal.aborted) await this.#wait(logBatchDelay, signal);
      }
    } catch (error) {
      if (!answered) throw error;
    } finally {
      void iterator.return?.().catch(() => undefined);
    }
    send({ type: 'logLines', id, lines: [], end: true });
  }

  /** Waits, or less when the signal is aborted. */
  #wait(delay: Milliseconds, signal: AbortSignal): Promise<void> {
    return sleep(this.#options.pacing, delay, signal).catch(() => undefined);
  }
}

/** All lines, or the newest that fit. */
async function collect(source: AsyncIterable<LogLine>): Promise<readonly LogLine[]> {
  const lines: LogLine[] = [];
  let characters = 0;
  let first = 0;
  for await (const line of source) {
    lines.push(line);
    characters += line.text.length;
    while (characters > maxLogCharacters) characters -= lines[first++]?.text.length ?? 0;
  }
  return lines.slice(first);
}
