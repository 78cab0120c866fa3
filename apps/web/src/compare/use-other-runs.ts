/** The runs of the server's store beside the one in view, and loading one of them, or a file, or the scenario played anew. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { readSource } from '../alone/source-address.ts';
import { useSession } from '../run/node-session.ts';
import { useConnectionState, useIsConnected, useNodeInfo } from '../run/use-run.ts';
import { notify, useInterface } from '../state/interface.ts';
import { type Comparand, fromEngine } from './comparand.ts';

export function useOtherRuns() {
  const { connection } = useSession();
  const node = useNodeInfo();
  const enabled = useIsConnected() && node !== undefined && !node.readOnly;
  return useQuery({
    queryKey: ['runs', node?.run],
    queryFn: async ({ signal }) => (await connection.command<'listRuns'>({ command: 'listRuns' }, signal)).runs.filter(({ id }) => id !== node?.run),
    enabled,
    // A node of the page keeps no runs.
    throwOnError: false,
  }).data;
}

const source = readSource(location.search, import.meta.env.MODE === 'site');

/** The other is played for at least so long, in milliseconds: a run that has just begun goes on beside it. */
const leastStretch = 120_000;

/** The other run, once it is here. */
export function useComparand() {
  const session = useSession();
  const [comparand, setComparand] = useState<Comparand>();
  const [isBusy, setBusy] = useState(false);
  const load = async (loading: () => Promise<Comparand>): Promise<void> => {
    setBusy(true);
    try {
      setComparand(await loading());
    } catch (error) {
      notify('error', error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  };
  const other = source.kind === 'page' && source.options.scenario !== undefined ? (source.options.profile === 'v1.20' ? 'v1.36' : 'v1.20') : undefined;
  const playOther = (): void => {
    if (source.kind !== 'page' || other === undefined) return;
    const start = session.connection.node?.startedAt ?? 0;
    const milliseconds = Math.max(leastStretch, (session.run.history.events.at(-1)?.time ?? start) - start);
    void load(() => fromEngine({ ...source.options, profile: other }, podscopeVersion, `kubelet ${other}`, milliseconds));
  };
  const isWanted = useInterface(({ wantsOtherRelease }) => wantsOtherRelease);
  const { phase } = useConnectionState();
  const begin = useEffectEvent(playOther);
  useEffect(() => {
    if (!isWanted || phase !== 'live') return;
    useInterface.setState({ wantsOtherRelease: false });
    // Not within the effect: playing says at once that it is busy.
    queueMicrotask(begin);
  }, [isWanted, phase]);
  return { comparand, isBusy, load, other, playOther };
}
