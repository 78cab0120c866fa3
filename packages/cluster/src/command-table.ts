/** Which commands a node understands: handlers by name, registered by the parts that have something to offer. */
import { type Command, onlyLooks, type ServerMessage } from '@podscope/protocol';
import type { Clock } from '@podscope/trace';
import { badRequest, readOnlyServer } from './api-errors.ts';

export type CommandName = Command['command'];
export type CommandOf<Name extends CommandName> = Extract<Command, { command: Name }>;

/** The connection a command came over, for commands that say more than one thing. */
export interface CommandConnection {
  /** The command's id. */
  readonly id: number;
  readonly pacing: Clock;
  readonly send: (message: ServerMessage) => void;
  /** Answers the command before its handler is done. */
  readonly respond: (result: unknown) => void;
  /** True while the client is too far behind to be sent more. */
  readonly congested: () => boolean;
  /** Ends another command of the connection. */
  readonly cancel: (id: number) => void;
}

/** What a handler is given beside the command. */
export interface CommandCall {
  /** Aborted when the command is canceled or its client is gone. */
  readonly signal: AbortSignal;
  /** Absent for a single request over HTTP. */
  readonly connection?: CommandConnection;
}

/** Handlers by command. A handler's result is the answer; what it throws becomes an ApiError. */
export type CommandHandlers = {
  readonly [Name in CommandName]?: (command: CommandOf<Name>, call: CommandCall) => unknown;
};

/** Stands before all handlers: sees each command, and says when it proceeds. */
export type CommandInterceptor = (command: Command, proceed: () => Promise<unknown>) => Promise<unknown>;

/** Commands of nodes whose time is virtual. */
const ofSimulations: ReadonlySet<string> = new Set(['setTime', 'stepTime', 'rerun'] satisfies CommandName[]);

/** The commands of one node. */
export class CommandTable {
  #interceptor: CommandInterceptor | undefined;
  #readOnly = false;
  readonly #handlers = new Map<string, (command: Command, call: CommandCall) => unknown>();

  constructor(...features: readonly CommandHandlers[]) {
    for (const handlers of features) this.register(handlers);
  }

  /**
   * Adds commands.
   * @throws Error when one of them has a handler already
   */
  register(handlers: CommandHandlers): void {
    for (const [name, handler] of Object.entries(handlers)) {
      if (this.#handlers.has(name)) throw new Error(`the command ${name} has a handler already`);
      // The type of the table ties each name to the handler of its own command.
      if (handler) this.#handlers.set(name, handler as (command: Command, call: CommandCall) => unknown);
    }
  }

  /**
   * Does what a command says.
   * @throws ApiError BadRequest when this node has no such command, Forbidden when it would change a read-only one
   */
  async run(command: Command, call: CommandCall): Promise<unknown> {
    const handler = this.#handlers.get(command.command);
    if (!handler) {
      const why = ofSimulations.has(command.command) ? ': its containers and its time are real, and only a simulation has it' : '';
      throw badRequest(`This node has no command ${command.command}${why}.`);
    }
    if (this.#readOnly && !onlyLooks(command)) throw readOnlyServer(command.command);
    const proceed = async (): Promise<unknown> => handler(command, call);
    return this.#interceptor ? this.#interceptor(command, proceed) : proceed();
  }

  /** Refuses from now on whatever does more than look. */
  makeReadOnly(): void {
    this.#readOnly = true;
  }

  /** Puts an interceptor before all handlers. */
  intercept(interceptor: CommandInterceptor): void {
    this.#interceptor = interceptor;
  }
}

/** The connection of a call. @throws ApiError BadRequest for a single request, which can't be told more than one thing */
export function requireConnection({ connection }: CommandCall, command: CommandName): CommandConnection {
  if (!connection) throw badRequest(`The command ${command} needs a connection: use the stream.`);
  return connection;
}
