/** Tests when the list of saved runs is loaded again. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CommandFailedError, DisconnectedError } from '../../node/connection/errors.ts';
import { useOpenNode } from '../../node/run/open-node.ts';
import { useSavedRuns } from './use-saved-runs.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Renders the hook with a node whose first answer is an error, and whose further answers are an empty list. */
async function afterError(error: Error) {
  const { connection } = useOpenNode.getState().home;
  const command = vi.spyOn(connection, 'command').mockRejectedValueOnce(error).mockResolvedValue({ runs: [] });
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const wrapper = ({ children }: { readonly children: ReactNode }) => (
    <QueryClientProvider client={queries}>{children}</QueryClientProvider>
  );
  const { result } = renderHook(() => useSavedRuns(), { wrapper });
  await act(() => vi.advanceTimersByTimeAsync(1));
  expect(result.current.error).toBe(error);
  await act(() => vi.advanceTimersByTimeAsync(5_001));
  return { saved: result.current, command };
}

describe('useSavedRuns', () => {
  it('loads the list again after a request that the connection lost', async () => {
    const { saved } = await afterError(new DisconnectedError('the connection was interrupted'));
    expect(saved).toMatchObject({ runs: [], error: null });
  });

  it('does not repeat a request that the node refused', async () => {
    const { saved, command } = await afterError(new CommandFailedError('MethodNotAllowed', 'no runs are saved'));
    expect(saved).toMatchObject({ runs: undefined, isUnsupported: true });
    expect(command).toHaveBeenCalledTimes(1);
  });
});
