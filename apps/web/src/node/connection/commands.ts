/**
 * Matches responses to commands: each command has an id, and its promise settles with the response or when the
 * connection ends.
 */
import {
  type Command,
  type CommandResultOf,
  commandResultSchemas,
  type LogLine,
  type ServerMessage,
} from '@podscope/protocol';
import { translate } from '../../base/i18n/i18n.ts';
import { CommandFailedError, DisconnectedError } from './errors.ts';
import { connectionMessages } from './messages.en.ts';

export type CommandName = Command['command'];
export type CommandOf<Name extends CommandName> = Extract<Command, { command: Name }>;
export type CommandResult<Name extends CommandName> = CommandResultOf<Name>;

/** Receives lines of a followed log. `end` is true for the last lines. */
export type LogListener = (lines: readonly LogLine[], end: boolean) => void;

interface Pending {
  readonly command: CommandName;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

type Answer = Extract<ServerMessage, { type: 'response' | 'failure' | 'logLines' }>;

export class Commands {
  #nextId = 1;
  readonly #pending = new Map<number, Pending>();
  readonly #logs = new Map<number, LogListener>();

  /** Registers a command and returns its id and promise. The caller has to send the command. */
  begin<Name extends CommandName>(
    command: Name,
    onLines?: LogListener,
  ): { readonly id: number; readonly result: Promise<CommandResult<Name>> } {
    const id = this.#nextId++;
    if (onLines) this.#logs.set(id, onLines);
    const result = new Promise<unknown>((resolve, reject) =>
      this.#pending.set(id, { command, resolve, reject }),
    ) as Promise<CommandResult<Name>>;
    return { id, result };
  }

  /** Settles the command that a response belongs to. Ignores a response whose command isn't pending. */
  answer(message: Answer): void {
    if (message.type === 'logLines') {
      this.#logs.get(message.id)?.(message.lines, message.end);
      if (message.end) this.#logs.delete(message.id);
      return;
    }
    const pending = this.#pending.get(message.id);
    if (!pending) return;
    this.#pending.delete(message.id);
    if (message.type === 'failure') {
      this.#logs.delete(message.id);
      pending.reject(new CommandFailedError(message.reason, message.message));
      return;
    }
    const parsed = commandResultSchemas[pending.command].safeParse(message.result);
    if (parsed.success) pending.resolve(parsed.data);
    else
      pending.reject(
        new CommandFailedError(
          'InvalidAnswer',
          translate(connectionMessages.answerNotUnderstood, { command: pending.command }),
        ),
      );
  }

  /** Stops listening to a followed log. */
  forget(id: number): void {
    this.#logs.delete(id);
  }

  /** Rejects all pending commands, because the connection was lost. */
  abandon(): void {
    for (const { reject } of this.#pending.values())
      reject(new DisconnectedError(translate(connectionMessages.lostBeforeAnswer)));
    this.#pending.clear();
    const logs = [...this.#logs.values()];
    this.#logs.clear();
    for (const listener of logs) listener([], true);
  }
}
