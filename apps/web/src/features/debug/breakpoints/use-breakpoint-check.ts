/** Validates a breakpoint on the node while the user edits it: its place and its expressions. */
import { errorMessage } from '@podscope/base';
import type { BreakpointSpec } from '@podscope/protocol';
import { useQuery } from '@tanstack/react-query';
import type { Connection } from '../../../node/connection/connection.ts';
import { DisconnectedError } from '../../../node/connection/errors.ts';
import { useSession } from '../../../node/run/node-session.ts';
import { useIsConnected } from '../../../node/run/use-run.ts';
import { useSettled } from '../use-settled.ts';

export interface BreakpointCheck {
  /** The problem; undefined if the breakpoint is valid or not yet checked. */
  readonly problem: string | undefined;
  /** A remark, or the line at which the breakpoint resolves. */
  readonly note: string | undefined;
}

/**
 * Checks a breakpoint at once and returns its problem. Returns undefined if the node can't be reached; the node then
 * checks the breakpoint when it is set.
 */
export async function checkNow(connection: Connection, breakpoint: BreakpointSpec): Promise<string | undefined> {
  try {
    const { verified, message } = await connection.command<'checkBreakpoint'>({
      command: 'checkBreakpoint',
      breakpoint,
    });
    return verified ? undefined : message;
  } catch (error) {
    return error instanceof DisconnectedError ? undefined : errorMessage(error);
  }
}

const nothing: BreakpointCheck = { problem: undefined, note: undefined };

export function useBreakpointCheck(spec: BreakpointSpec | undefined): BreakpointCheck {
  const { connection } = useSession();
  const isConnected = useIsConnected();
  const settled = useSettled(spec && JSON.stringify(spec));
  const { data, error } = useQuery({
    queryKey: ['checkBreakpoint', settled],
    queryFn: ({ signal }) => {
      if (settled === undefined) throw new Error('there is no breakpoint to check');
      const breakpoint = JSON.parse(settled) as BreakpointSpec;
      return connection.command<'checkBreakpoint'>({ command: 'checkBreakpoint', breakpoint }, signal);
    },
    enabled: isConnected && settled !== undefined,
    placeholderData: (previous) => previous,
    gcTime: 10_000,
  });
  if (!spec) return nothing;
  if (error) return { problem: error.message, note: undefined };
  if (!data) return nothing;
  if (!data.verified) return { problem: data.message, note: undefined };
  return { problem: undefined, note: data.message ?? (data.source && `${data.source.path}:${data.source.line}`) };
}
