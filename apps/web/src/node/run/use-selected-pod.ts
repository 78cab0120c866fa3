/** Hooks for the selected pod. */
import type { PodTrack } from '@podscope/trace';
import { useMemo } from 'react';
import { useView } from '../address/view-store.ts';
import { useSession } from './node-session.ts';
import { usePod, usePodUids, usePodValue, type VersionedPod } from './use-run.ts';

/** Returns the UID of the selected pod: the UID in the address, or else the newest pod with the selected name. */
export function useSelectedUid(): string | undefined {
  const { run } = useSession();
  const uid = useView((view) => view.uid);
  const name = useView((view) => view.pod);
  const uids = usePodUids();
  return useMemo(() => {
    if (uid !== undefined && uids.includes(uid)) return uid;
    if (name === undefined) return undefined;
    return uids.findLast((candidate) => {
      const pod = run.pod(candidate);
      return pod !== undefined && `${pod.namespace}/${pod.name}` === name;
    });
  }, [uid, name, uids, run]);
}

/** Returns the selected pod without re-rendering on its changes, for constant fields such as the name. */
export const useSelectedTrack = (): PodTrack | undefined => usePodValue(useSelectedUid(), itself);

const itself = (pod: PodTrack | undefined): PodTrack | undefined => pod;

/** Returns the selected pod and re-renders on each change. */
export const useSelectedPod = (): VersionedPod => usePod(useSelectedUid());
