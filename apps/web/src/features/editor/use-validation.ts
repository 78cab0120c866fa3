/** Validates a manifest on the node's API server while it is edited. */
import type { ApplyResult } from '@podscope/protocol';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useSession } from '../../node/run/node-session.ts';
import { useIsConnected } from '../../node/run/use-run.ts';

const pause = 250;

export interface Validation {
  /** Result for the current text; undefined while unknown. */
  readonly result: ApplyResult | undefined;
  /** The last known result. The list shows it until the next one, so that it doesn't flicker. */
  readonly last: ApplyResult | undefined;
  readonly problem: Error | null;
  /** The last validated text. */
  readonly settled: string;
}

export function useValidation(text: string): Validation {
  const { connection } = useSession();
  const connected = useIsConnected();
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pause);
    return () => clearTimeout(timer);
  }, [text]);
  const query = useQuery({
    queryKey: ['validate', settled],
    queryFn: ({ signal }) => connection.command<'validate'>({ command: 'validate', manifest: settled }, signal),
    enabled: connected && settled.trim() !== '',
    placeholderData: (previous) => previous,
    gcTime: 10_000,
  });
  const isCurrent = settled === text && !query.isPlaceholderData && query.isSuccess;
  return { result: isCurrent ? query.data : undefined, last: query.data, problem: query.error, settled };
}
