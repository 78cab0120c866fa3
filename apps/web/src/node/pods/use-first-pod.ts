/** Selects the newest pod if the address names no pod. */
import { useEffect } from 'react';
import { useView } from '../address/view-store.ts';
import { useSession } from '../run/node-session.ts';
import { useConnectionState, usePodUids } from '../run/use-run.ts';
import { createdAt } from './pod-row-text.ts';

export function useFirstPod(): void {
  const { run } = useSession();
  const { phase } = useConnectionState();
  const uids = usePodUids();
  const isNamed = useView(({ pod, uid }) => pod !== undefined || uid !== undefined);
  useEffect(() => {
    if (isNamed || phase !== 'live') return;
    const pods = uids.flatMap((uid) => run.pod(uid) ?? []).filter(({ deletedAt }) => deletedAt === undefined);
    const newest = pods.toSorted((a, b) => createdAt(b) - createdAt(a))[0];
    if (newest) useView.getState().show({ uid: newest.uid, pod: `${newest.namespace}/${newest.name}` });
  }, [isNamed, phase, uids, run]);
}
