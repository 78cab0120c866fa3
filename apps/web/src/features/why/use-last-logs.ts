/** Loads the last log lines of the containers that diagnoses name. */
import type { PodTrack } from '@podscope/trace';
import type { Diagnosis } from '@podscope/trace/explain';
import { useQueries } from '@tanstack/react-query';
import { cleanLine } from '../../base/ui/text/clean-text.ts';
import { useSession } from '../../node/run/node-session.ts';
import { useIsElsewhere } from '../../node/run/open-node.ts';
import { useIsConnected } from '../../node/run/use-run.ts';
import { useTravel } from '../../node/travel/use-travel.ts';

/** Number of lines to load: enough for a stack trace with its causes. */
const tailLines = 50;

/** Returns the last lines by container name. Omits containers whose lines aren't loaded yet or aren't available. */
export function useLastLogs(
  { namespace, name, uid, containers }: PodTrack,
  diagnoses: readonly Diagnosis[],
): Readonly<Record<string, string>> {
  const { connection } = useSession();
  const { isPast } = useTravel();
  const isConnected = useIsConnected();
  const isRecorded = useIsElsewhere();
  // Don't load lines for an instant in the past, because the node keeps only the newest logs.
  const enabled = isConnected && !isPast && !isRecorded;
  const wanted = diagnoses.flatMap(({ container, log }) =>
    container === undefined || log === undefined ? [] : [{ container, previous: log === 'previous' }],
  );
  const results = useQueries({
    queries: wanted.map(({ container, previous }) => {
      const attempt = containers.find((track) => track.name === container)?.attempts.at(-1);
      return {
        queryKey: ['lastLines', uid, container, previous, attempt?.attempt, attempt?.state],
        queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
          const { lines } = await connection.command<'logs'>(
            { command: 'logs', namespace, name, container, previous, tailLines },
            signal,
          );
          return lines.map(({ text }) => cleanLine(text)).join('\n');
        },
        enabled,
        retry: false,
        staleTime: Number.POSITIVE_INFINITY,
      };
    }),
  });
  return Object.fromEntries(
    wanted.flatMap(({ container }, index) => {
      const text = results[index]?.data ?? '';
      return enabled && text.trim() !== '' ? [[container, text]] : [];
    }),
  );
}
