/**
 * Runs the commands of a client. Each command has one response, the number of running commands is limited, and all are
 * canceled when the connection closes.
 */

import { ApiError, asApiError } from '@podscope/apiserver';
import type { Command, ServerMessage } from '@podscope/protocol';
import type { Clock } from '@podscope/trace';
import type { CommandConnection, CommandTable } from '../commands/command-table.ts';

/** The maximum number of concurrent commands of one client. */
export const maxRunningCommands = 32;

export interface CommandRunnerOptions {
  readonly commands: CommandTable;
  readonly pacing: Clock;
  readonly send: (message: ServerMessage) => void;
  /** Returns true while the client has too many unread messages to be sent further ones. */
  readonly congested: () => boolean;
}

/** Runs the commands that arrive on one connection. */
export class CommandRunner {
  readonly #options: CommandRunnerOptions;
  readonly #running = new Map<number, AbortController>();

  constructor(options: CommandRunnerOptions) {
    this.#options = options;
  }

  /** Starts a command. The response is sent when it ends. */
  run(id: number, command: Command): void {
    const { send } = this.#options;
    if (this.#running.has(id)) {
      send({ type: 'failure', id, reason: 'BadRequest', message: `A command with id ${id} is running.` });
      return;
    }
    if (this.#running.size >= maxRunningCommands) {
      send({
        type: 'failure',
        id,
        reason: 'TooManyRequests',
        message: `At most ${maxRunningCommands} commands run at a time.`,
      });
      return;
    }
    const controller = new AbortController();
    this.#running.set(id, controller);
    void this.#execute(id, command, controller.signal).finally(() => this.#running.delete(id));
  }

  /** Cancels all running commands. */
  close(): void {
    for (const controller of this.#running.values())
      controller.abort(new ApiError(499, 'Canceled', 'The connection was closed.'));
  }

  async #execute(id: number, command: Command, signal: AbortSignal): Promise<void> {
    const { commands, send, congested, pacing } = this.#options;
    let answered = false;
    const respond = (result: unknown): void => {
      if (!answered) send({ type: 'response', id, ok: true, result });
      answered = true;
    };
    const cancel = (target: number): void =>
      this.#running.get(target)?.abort(new ApiError(499, 'Canceled', 'The command was canceled.'));
    const connection: CommandConnection = { id, pacing, send, respond, congested, cancel };
    try {
      respond(await commands.run(command, { signal, connection }));
    } catch (error) {
      const { reason, message } = asApiError(error);
      send({ type: 'failure', id, reason, message });
    }
  }
}
