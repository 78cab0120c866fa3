/** Shows the end of a container's log beside the diagnosis of its exit. */
import type { PodTrack } from '@podscope/trace';
import { useQuery } from '@tanstack/react-query';
import { useT } from '../../base/i18n/i18n.ts';
import { cleanLine } from '../../base/ui/text/clean-text.ts';
import { useSession } from '../../node/run/node-session.ts';
import { useIsElsewhere } from '../../node/run/open-node.ts';
import { useIsConnected } from '../../node/run/use-run.ts';
import { useTravel } from '../../node/travel/use-travel.ts';
import styles from './Causes.module.css';
import { whyMessages } from './messages.en.ts';

/** Enough for the message of a panic without its stack. */
const tailLines = 3;

interface LastLinesProps {
  readonly pod: PodTrack;
  readonly container: string;
  /** The instance before the newest. */
  readonly previous: boolean;
}

export function LastLines({ pod: { namespace, name, uid, containers }, container, previous }: LastLinesProps) {
  const t = useT();
  const { connection } = useSession();
  const { isPast } = useTravel();
  const isConnected = useIsConnected();
  const isRecorded = useIsElsewhere();
  const attempt = containers.find((track) => track.name === container)?.attempts.at(-1);
  const { data } = useQuery({
    queryKey: ['lastLines', uid, container, previous, attempt?.attempt, attempt?.state],
    queryFn: async ({ signal }) => {
      const { lines } = await connection.command<'logs'>(
        { command: 'logs', namespace, name, container, previous, tailLines },
        signal,
      );
      return lines;
    },
    // The node keeps only the newest logs, so no lines exist for an instant in the past.
    enabled: isConnected && !isPast && !isRecorded,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const lines = (data ?? []).map(({ text }) => cleanLine(text)).filter((line) => line.trim() !== '');
  if (isPast || lines.length === 0) return null;
  return (
    <pre className={styles.log} aria-label={t(whyMessages.lastLines, { container })}>
      {lines.join('\n')}
    </pre>
  );
}
