/** Handles the debugger's commands. Converts the debugger's errors to API errors and masks secrets in results. */

import { ApiError } from '@podscope/apiserver';
import { type Debugger, DebuggerError, debugCommands } from '@podscope/debugger';
import { type Context, toJson } from '@podscope/trace';
import type { CommandCall, CommandHandlers } from '../commands/command-table.ts';

const codes: Readonly<Record<DebuggerError['reason'], number>> = {
  NotFound: 404,
  NotStopped: 409,
  StaleReference: 410,
  Invalid: 422,
};

/** Converts a DebuggerError to an ApiError. Returns any other value unchanged. */
export const asRefusal = (error: unknown): unknown =>
  error instanceof DebuggerError ? new ApiError(codes[error.reason], error.reason, error.message) : error;

/**
 * Returns the handlers of the debugger's commands.
 * @param mask replaces secrets in JSON text
 */
export function debugCommandHandlers(ctx: Context, debug: Debugger, mask: (text: string) => string): CommandHandlers {
  const handlers = Object.entries(debugCommands(ctx, debug)).map(([name, handler]) => {
    const run = handler as (command: unknown) => unknown;
    return [
      name,
      async (command: unknown, _call: CommandCall): Promise<unknown> => {
        try {
          return JSON.parse(mask(toJson(await run(command))));
        } catch (error) {
          throw asRefusal(error);
        }
      },
    ] as const;
  });
  return Object.fromEntries(handlers) as CommandHandlers;
}
