/** Lists the saved runs of the server and loads the other run of the comparison. */
import { errorMessage } from '@podscope/base';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { notify } from '../../base/notices/notices.ts';
import { useSession } from '../../node/run/node-session.ts';
import { useOwnOptions } from '../../node/run/open-node.ts';
import { useConnectionState, useIsConnected, useNodeInfo } from '../../node/run/use-run.ts';
import { useInterface } from '../../node/view/interface.ts';
import { type Comparand, fromEngine } from './comparand.ts';
import { PlayLength } from './play-length.ts';

export function useOtherRuns() {
  const { connection } = useSession();
  const node = useNodeInfo();
  const enabled = useIsConnected() && node !== undefined && !node.readOnly;
  return useQuery({
    queryKey: ['runs', node?.run],
    queryFn: async ({ signal }) =>
      (await connection.command<'listRuns'>({ command: 'listRuns' }, signal)).runs.filter(({ id }) => id !== node?.run),
    enabled,
    // Show no error, because an engine in the page has no saved runs.
    throwOnError: false,
  }).data;
}

/** Returns the other run once it is loaded. */
export function useComparand() {
  const session = useSession();
  const engineOptions = useOwnOptions();
  const [comparand, setComparand] = useState<Comparand>();
  const [isBusy, setBusy] = useState(false);
  const load = async (loading: () => Promise<Comparand>): Promise<void> => {
    setBusy(true);
    try {
      setComparand(await loading());
    } catch (error) {
      notify('error', errorMessage(error));
    } finally {
      setBusy(false);
    }
  };
  const other =
    engineOptions?.scenario !== undefined ? (engineOptions.profile === 'v1.20' ? 'v1.36' : 'v1.20') : undefined;
  const start = session.connection.node?.startedAt ?? 0;
  const [length] = useState(() => new PlayLength());
  const playFor = (milliseconds: number): void => {
    if (engineOptions === undefined || other === undefined) return;
    void load(() => fromEngine({ ...engineOptions, profile: other }, `kubelet ${other}`, milliseconds));
  };
  const playOther = (): void => playFor(length.first((session.run.history.events.at(-1)?.time ?? start) - start));
  /** Plays the other run again, for longer, if it doesn't reach `now`. After an error it waits for a later instant. */
  const playUntil = (now: number): void => {
    if (isBusy || comparand?.played === undefined) return;
    const longer = length.next(now - start, comparand.played.milliseconds);
    if (longer !== undefined) playFor(longer);
  };
  const isWanted = useInterface(({ wantsOtherRelease }) => wantsOtherRelease);
  const { phase } = useConnectionState();
  const begin = useEffectEvent(playOther);
  useEffect(() => {
    if (!isWanted || phase !== 'live') return;
    useInterface.setState({ wantsOtherRelease: false });
    // Start in a later turn, because playing sets state at once.
    queueMicrotask(begin);
  }, [isWanted, phase]);
  return { comparand, isBusy, load, other, playOther, playUntil };
}
