/** Loads and changes the saved runs of the server. */
import type { RunSummary } from '@podscope/protocol';
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { notify } from '../../base/notices/notices.ts';
import type { CommandName, CommandOf, CommandResult } from '../../node/connection/commands.ts';
import { CommandFailedError } from '../../node/connection/errors.ts';
import { useOpenNode } from '../../node/run/open-node.ts';

const key = ['keptRuns'] as const;

export interface SavedRuns {
  /** The saved runs, newest first. Undefined while they load and if the node saves no runs. */
  readonly runs: readonly RunSummary[] | undefined;
  /** True for a node that saves no runs, such as the page's engine. */
  readonly isUnsupported: boolean;
  readonly error: Error | null;
  readonly retry: () => void;
}

export function useSavedRuns(): SavedRuns {
  const { connection } = useOpenNode(({ home }) => home);
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => (await connection.command<'listRuns'>({ command: 'listRuns' }, signal)).runs,
    // Load the list again regularly, because the current run grows while the list is open, and because a request fails
    // while the connection is interrupted. A node that refused the command would refuse it again.
    refetchInterval: ({ state }) => (state.error instanceof CommandFailedError ? false : 5_000),
  });
  // If a node rejects this command as invalid, the node doesn't support it. A recording rejects every command.
  const isUnsupported =
    error instanceof CommandFailedError && ['BadRequest', 'MethodNotAllowed'].includes(error.reason);
  return { runs: data, isUnsupported, error, retry: () => void refetch() };
}

const refresh = (queries: QueryClient): Promise<void> => queries.invalidateQueries({ queryKey: key });

/** Returns a mutation that changes a saved run. If the node refuses the change, the mutation shows the reason. */
export function useRunCommand<Name extends CommandName>(onDone?: (result: CommandResult<Name>) => void) {
  const { connection } = useOpenNode(({ home }) => home);
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (command: CommandOf<Name>) => connection.command<Name>(command),
    onSuccess: async (result) => {
      onDone?.(result);
      await refresh(queries);
    },
    onError: (error) => notify('error', error.message),
  });
}
