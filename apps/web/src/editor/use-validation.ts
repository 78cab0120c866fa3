/** Validates a manifest while it is written: the node answers as its API server would. */
import type { ApplyResult } from '@podscope/protocol';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useSession } from '../run/node-session.ts';
import { useIsConnected } from '../run/use-run.ts';

const pause = 250;

export interface Validation {
  /** Of the text as it is now; undefined while it is not known. */
  readonly result: ApplyResult | undefined;
  /** Of the text as it was a moment ago, so that the list does not flicker. */
  readonly last: ApplyResult | undefined;
  readonly problem: Error | null;
  /** The text that was asked about last. */
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
