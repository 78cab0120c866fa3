/** The runs of the server's store, and what changes them. */
import type { RunSummary } from '@podscope/protocol';
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { CommandName, CommandOf, CommandResult } from '../connection/commands.ts';
import { CommandFailedError } from '../connection/errors.ts';
import { useOpenNode } from '../run/open-node.ts';
import { notify } from '../state/interface.ts';

const key = ['keptRuns'] as const;

export interface KeptRuns {
  /** Newest first; undefined while they are read, and where none are kept. */
  readonly runs: readonly RunSummary[] | undefined;
  /** The node has no store: an engine of the page. */
  readonly isUnsupported: boolean;
  readonly error: Error | null;
  readonly retry: () => void;
}

export function useKeptRuns(): KeptRuns {
  const { connection } = useOpenNode(({ home }) => home);
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => (await connection.command<'listRuns'>({ command: 'listRuns' }, signal)).runs,
    // The current one grows while it is looked at.
    refetchInterval: ({ state }) => (state.error ? false : 5_000),
  });
  // A command without arguments that is refused as wrong is one that the node does not have; a recording says that it takes none.
  const isUnsupported = error instanceof CommandFailedError && ['BadRequest', 'MethodNotAllowed'].includes(error.reason);
  return { runs: data, isUnsupported, error, retry: () => void refetch() };
}

const refresh = (queries: QueryClient): Promise<void> => queries.invalidateQueries({ queryKey: key });

/** A command about a run; its refusal is shown. */
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
