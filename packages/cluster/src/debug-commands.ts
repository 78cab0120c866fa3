/** The debugger's commands as a node offers them: its refusals as API errors, secrets masked in what it answers. */
import { type Debugger, DebuggerError, debugCommands } from '@podscope/debugger';
import { type Context, toJson } from '@podscope/trace';
import { ApiError } from './api-errors.ts';
import type { CommandCall, CommandHandlers } from './command-table.ts';

const codes: Readonly<Record<DebuggerError['reason'], number>> = { NotFound: 404, NotStopped: 409, StaleReference: 410, Invalid: 422 };

/** A refusal of the debugger as an API error; anything else as it is. */
export const asRefusal = (error: unknown): unknown => (error instanceof DebuggerError ? new ApiError(codes[error.reason], error.reason, error.message) : error);

/** @param mask replaces secrets in JSON text */
export function debugCommandHandlers(debug: Debugger, ctx: Context, mask: (text: string) => string): CommandHandlers {
  const handlers = Object.entries(debugCommands(debug, ctx)).map(([name, handler]) => {
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
