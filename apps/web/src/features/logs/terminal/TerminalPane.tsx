/** Shows the terminal, or why it is unavailable. */
import type { ContainerTrack, PodTrack } from '@podscope/trace';
import { useState } from 'react';
import type { Message } from '../../../base/i18n/define-messages.ts';
import { useT } from '../../../base/i18n/i18n.ts';
import { EmptyState } from '../../../base/ui/layout/EmptyState.tsx';
import { lazyPart } from '../../../base/ui/lazy-part.tsx';
import { isPageSource } from '../../../node/address/address.ts';
import { useIsElsewhere } from '../../../node/run/open-node.ts';
import { useIsConnected, useNodeInfo } from '../../../node/run/use-run.ts';
import { useIsPast } from '../../../node/travel/use-travel.ts';
import { terminalMessages } from '../messages.en.ts';

const LazyTerminal = lazyPart(() => import('./Terminal.tsx'));

/** Default command: `sh`, which nearly every image contains. */
const shell: readonly string[] = ['sh'];

/** Returns the reason why no shell can be opened; undefined if one can be opened. */
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
  const instance = track.attempts.at(-1)?.id;
  const [opened, setOpened] = useState<string>();
  if (!refusal && opened !== instance) setOpened(instance);
  // A shell has its own connection, so it stays open while the page has lost its connection to the node.
  const isOpen = refusal === terminalMessages.disconnected && instance !== undefined && opened === instance;
  if (refusal && !isOpen)
    return (
      <EmptyState icon="terminal" title={t(terminalMessages.notRunningTitle)}>
        {t(refusal, { name: track.name })}
      </EmptyState>
    );
  return (
    <LazyTerminal
      // The key opens a new shell for another instance.
      key={instance}
      namespace={pod.namespace}
      pod={pod.name}
      container={track.name}
      command={shell}
      fallback={<EmptyState busy title={t(terminalMessages.loading)} />}
    />
  );
}
