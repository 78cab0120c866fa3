/** A page that was opened without naming a pod shows the newest one as soon as there is one. */
import { useEffect } from 'react';
import { createdAt } from '../pods/pod-row-text.ts';
import { useSession } from '../run/node-session.ts';
import { useConnectionState, usePodUids } from '../run/use-run.ts';
import { useView } from './view-store.ts';

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
