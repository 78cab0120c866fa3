/** The terminal, or why there can be none. */
import type { ContainerTrack, PodTrack } from '@podscope/trace';
import { lazy, Suspense } from 'react';
import { readSource } from '../../alone/source-address.ts';
import type { Message } from '../../i18n/define-messages.ts';
import { useT } from '../../i18n/i18n.ts';
import { useIsElsewhere } from '../../run/open-node.ts';
import { useIsConnected, useNodeInfo } from '../../run/use-run.ts';
import { useIsPast } from '../../travel/use-travel.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { terminalMessages } from '../messages.en.ts';

const LazyTerminal = lazy(() => import('./Terminal.tsx'));

const isPageSource = readSource(location.search, import.meta.env.MODE === 'site').kind === 'page';

/** What is run: the shell that nearly every image has. */
const shell: readonly string[] = ['sh'];

/** Why no shell can be opened; undefined when one can. */
function useRefusal(track: ContainerTrack): Message | undefined {
  const connected = useIsConnected();
  const node = useNodeInfo();
  const isRecorded = useIsElsewhere();
  const isPast = useIsPast();
  if (isRecorded) return terminalMessages.recorded;
  if (isPageSource) return terminalMessages.alone;
  if (isPast) return terminalMessages.past;
  if (!connected) return terminalMessages.disconnected;
  if (node?.readOnly) return terminalMessages.readOnly;
  return track.attempts.at(-1)?.state === 'running' ? undefined : terminalMessages.notRunning;
}

export function TerminalPane({ pod, track }: { readonly pod: PodTrack; readonly track: ContainerTrack }) {
  const t = useT();
  const refusal = useRefusal(track);
  if (refusal)
    return (
      <EmptyState icon="terminal" title={t(terminalMessages.notRunningTitle)}>
        {t(refusal, { name: track.name })}
      </EmptyState>
    );
  return (
    <Suspense fallback={<EmptyState busy title={t(terminalMessages.loading)} />}>
      {/* Another instance of the container is another shell. */}
      <LazyTerminal key={track.attempts.at(-1)?.id} namespace={pod.namespace} pod={pod.name} container={track.name} command={shell} />
    </Suspense>
  );
}
