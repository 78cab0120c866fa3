/** Dispatches commands to the handlers that features register. */

import { badRequest, readOnlyServer } from '@podscope/apiserver';
import { type Command, isReadOnlyCommand, type ServerMessage } from '@podscope/protocol';
import type { Clock } from '@podscope/trace';

export type CommandName = Command['command'];
export type CommandOf<Name extends CommandName> = Extract<Command, { command: Name }>;

/** The connection on which a command arrived, for commands with more than one response. */
export interface CommandConnection {
  /** The command's id. */
  readonly id: number;
  readonly pacing: Clock;
  readonly send: (message: ServerMessage) => void;
  /** Responds to the command before its handler returns. */
  readonly respond: (result: unknown) => void;
  /** Returns true while the client has too many unread messages to be sent further ones. */
  readonly congested: () => boolean;
  /** Cancels another command on the connection. */
  readonly cancel: (id: number) => void;
}

/** The context of a command's execution. */
export interface CommandCall {
  /** The signal that is aborted when the command is canceled or its client disconnects. */
  readonly signal: AbortSignal;
  /** The connection; absent for a single request over HTTP. */
  readonly connection?: CommandConnection;
}

/**
 * Handlers by command. The value that a handler returns is the response; an error that it throws becomes an ApiError.
 */
export type CommandHandlers = {
  readonly [Name in CommandName]?: (command: CommandOf<Name>, call: CommandCall) => unknown;
};

/** Runs in place of every handler. `proceed` runs the handler. */
export type CommandInterceptor = (command: Command, proceed: () => Promise<unknown>) => Promise<unknown>;

/** The commands that only nodes with virtual time have. */
const ofSimulations: ReadonlySet<string> = new Set(['setTime', 'stepTime', 'rerun'] satisfies CommandName[]);

/** Runs the commands of a node. */
export class CommandTable {
  #interceptor: CommandInterceptor | undefined;
  #readOnly = false;
  readonly #handlers = new Map<string, (command: Command, call: CommandCall) => unknown>();

  constructor(...features: readonly CommandHandlers[]) {
    for (const handlers of features) this.register(handlers);
  }

  /**
   * Registers handlers.
   * @throws Error if a command already has a handler
   */
  register(handlers: CommandHandlers): void {
    for (const [name, handler] of Object.entries(handlers)) {
      if (this.#handlers.has(name)) throw new Error(`the command ${name} already has a handler`);
      // The type of `handlers` guarantees that the handler belongs to the command.
      if (handler) this.#handlers.set(name, handler as (command: Command, call: CommandCall) => unknown);
    }
  }

  /**
   * Runs a command.
   * @throws ApiError BadRequest for a command that this node doesn't have, Forbidden for a change of a read-only node
   */
  async run(command: Command, call: CommandCall): Promise<unknown> {
    const handler = this.#handlers.get(command.command);
    if (!handler) {
      const why = ofSimulations.has(command.command)
        ? ': its containers and its time are real, and only a simulation has it'
        : '';
      throw badRequest(`This node has no command ${command.command}${why}.`);
    }
    if (this.#readOnly && !isReadOnlyCommand(command)) throw readOnlyServer(command.command);
    const proceed = async (): Promise<unknown> => handler(command, call);
    return this.#interceptor ? this.#interceptor(command, proceed) : proceed();
  }

  /** From now on, rejects commands that change the node. */
  makeReadOnly(): void {
    this.#readOnly = true;
  }

  /** Installs an interceptor for all handlers. */
  intercept(interceptor: CommandInterceptor): void {
    this.#interceptor = interceptor;
  }
}

/**
 * Returns the connection of a call.
 * @throws ApiError BadRequest for an HTTP request, which can have only one response
 */
export function requireConnection({ connection }: CommandCall, command: CommandName): CommandConnection {
  if (!connection) throw badRequest(`The command ${command} needs a connection: use the stream.`);
  return connection;
}
