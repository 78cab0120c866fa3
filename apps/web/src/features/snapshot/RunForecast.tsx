/**
 * Renders the forecast of a pod that a genuine kubelet runs, from the shown instant. It is computed on request. Default
 * export: loaded when first shown.
 */
import { type RunSnapshot, snapshotOfRun } from '@podscope/pod-snapshot/diagnosis';
import type { PodTrack } from '@podscope/trace';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useT } from '../../base/i18n/i18n.ts';
import { Button } from '../../base/ui/fields/Button.tsx';
import { Section } from '../../base/ui/layout/Section.tsx';
import { useSession } from '../../node/run/node-session.ts';
import { useNow } from '../../node/run/use-now.ts';
import { useNodeInfo } from '../../node/run/use-run.ts';
import { snapshotMessages as texts } from './messages.en.ts';
import { OutlookEntries, OutlookNotices } from './OutlookEntries.tsx';
import styles from './RunForecast.module.css';
import { readSnapshot } from './read-snapshot.ts';
import { translateNotice } from './translate-notice.ts';

/** The pod at the instant of the request. */
interface Asked {
  readonly at: number;
  readonly runPod: RunSnapshot | undefined;
}

export default function RunForecast({ pod }: { readonly pod: PodTrack }) {
  const t = useT();
  const { run } = useSession();
  const now = useNow(pod.deletedAt === undefined);
  const profile = useNodeInfo()?.profile === 'v1.20' ? 'v1.20' : 'v1.36';
  const [asked, setAsked] = useState<Asked>();
  const runPod = asked?.runPod;
  const { data, error, isFetching } = useQuery({
    queryKey: ['run-forecast', profile, pod.uid, asked?.at],
    queryFn: ({ signal }) => (runPod ? readSnapshot({ runPod, profile }, signal) : null),
    enabled: runPod !== undefined,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Section title={t(texts.outlook)}>
      <div className={styles.body} aria-live="polite" aria-busy={isFetching}>
        <Button icon="play" onPress={() => setAsked({ at: now, runPod: snapshotOfRun(run.fold, pod, now) })}>
          {t(texts.compute)}
        </Button>
        {asked && !runPod && <p>{t(texts.noContainers)}</p>}
        {isFetching && <p className={styles.busy}>{t(texts.reading)}</p>}
        {error && <p className={styles.bad}>{error.message}</p>}
        {data?.errors.map(({ message }) => {
          const said = translateNotice(t, message);
          return (
            <p key={said} className={styles.bad}>
              {said}
            </p>
          );
        })}
        {data?.outlooks.map((outlook) =>
          outlook.isSimulated ? (
            <OutlookEntries key={outlook.pod.uid} outlook={outlook} />
          ) : (
            outlook.notices.length === 0 && <p key={outlook.pod.uid}>{t(texts.notSimulated)}</p>
          ),
        )}
        {data?.outlooks.map(({ pod: { uid }, notices }) => (
          <OutlookNotices key={uid} notices={notices} />
        ))}
      </div>
    </Section>
  );
}
