/** The pod that the address names. */
import type { PodTrack } from '@podscope/trace';
import { useMemo } from 'react';
import { useSession } from '../run/node-session.ts';
import { usePod, usePodUids, usePodValue, type VersionedPod } from '../run/use-run.ts';
import { useView } from './view-store.ts';

/** UID of the selected pod: the one named by its UID, or else the newest of that name. */
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

/** The selected pod for those who read of it only what never changes, like its name: it renders anew when another is selected. */
export const useSelectedTrack = (): PodTrack | undefined => usePodValue(useSelectedUid(), itself);

const itself = (pod: PodTrack | undefined): PodTrack | undefined => pod;

/** The selected pod at each change of it. */
export const useSelectedPod = (): VersionedPod => usePod(useSelectedUid());
