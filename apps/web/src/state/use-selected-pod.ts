/** The pod that the address names. */
import { useMemo } from 'react';
import { useSession } from '../run/node-session.ts';
import { usePod, usePodUids, type VersionedPod } from '../run/use-run.ts';
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

export const useSelectedPod = (): VersionedPod => usePod(useSelectedUid());
