/**
 * Renders the dialog that explains a pod of another cluster from kubectl's output: diagnosis, forecast, and a button
 * that continues in the simulator. Default export: loaded when first opened.
 */
import { errorMessage } from '@podscope/base';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { FileTrigger } from 'react-aria-components';
import { useT } from '../../base/i18n/i18n.ts';
import { notify } from '../../base/notices/notices.ts';
import { Button } from '../../base/ui/fields/Button.tsx';
import { Select } from '../../base/ui/fields/Select.tsx';
import { EmptyState } from '../../base/ui/layout/EmptyState.tsx';
import { PageDialog } from '../../base/ui/layout/PageDialog.tsx';
import { SpokenText } from '../../base/ui/marks/SpokenText.tsx';
import { CopyText } from '../../base/ui/text/CopyText.tsx';
import { openLocalRun } from '../../node/run/open-node.ts';
import { closeDialog, useInterface } from '../../node/view/interface.ts';
import { readManifest } from '../editor/index.ts';
import { CauseList, Findings, ShowFieldContext } from '../why/index.ts';
import { snapshotMessages as texts } from './messages.en.ts';
import { OutlookEntries, OutlookNotices } from './OutlookEntries.tsx';
import { readSnapshot } from './read-snapshot.ts';
import styles from './SnapshotDialog.module.css';
import type { Outlook, SnapshotAnswer, SnapshotProblem } from './snapshot-messages.ts';
import { useSnapshotText } from './snapshot-text.ts';
import { translateNotice } from './translate-notice.ts';

type Translate = ReturnType<typeof useT>;

function describeProblem(t: Translate, { line, message, hint }: SnapshotProblem): string {
  const problem = translateNotice(t, message) + (hint === undefined ? '' : ` (${translateNotice(t, hint)})`);
  return line === undefined ? problem : t(texts.lineProblem, { line, problem });
}

interface OutlookProps {
  readonly outlook: Outlook;
  readonly onGoOn: () => void;
}

function OutlookCard({ outlook, onGoOn }: OutlookProps) {
  const t = useT();
  const { pod, explanation } = outlook;
  const name = `${pod.namespace}/${pod.name}`;
  const { status, message, ...counts } = explanation?.summary ?? { status: '', ready: 0, total: 0, restarts: 0 };
  return (
    <article className={styles.outlook} aria-label={name}>
      <header className={styles.head}>
        <div className={styles.name}>
          <h3 className={styles.headline}>{explanation ? t(texts.headline, { pod: name, status }) : name}</h3>
          {explanation && (
            <p className={styles.standing}>{`${t(texts.standing, counts)}${message ? ` — ${message}` : ''}`}</p>
          )}
        </div>
        <Button kind="primary" icon="play" onPress={onGoOn}>
          {t(texts.continue)}
          <SpokenText>{t(texts.goOnLabel, { name: pod.name })}</SpokenText>
        </Button>
      </header>
      {explanation?.diagnoses.length === 0 && <p className={styles.well}>{t(texts.well)}</p>}
      {explanation && (
        <div className={styles.why}>
          <CauseList diagnoses={explanation.diagnoses} />
        </div>
      )}
      {outlook.isSimulated && <OutlookEntries outlook={outlook} />}
      {explanation && (
        <div className={styles.why}>
          <Findings {...explanation} />
        </div>
      )}
      <OutlookNotices notices={outlook.notices} />
    </article>
  );
}

const profiles = ['v1.36', 'v1.20'] as const;

export default function SnapshotDialog() {
  const t = useT();
  const { text } = useSnapshotText();
  const [profile, setProfile] = useState<(typeof profiles)[number]>('v1.36');
  const isThere = useInterface(({ dialog }) => dialog === 'snapshot');
  const reading = useQuery({
    queryKey: ['snapshot', profile, text],
    queryFn: ({ signal }) => readSnapshot({ text, profile }, signal),
    enabled: isThere && text.trim() !== '',
    // The pasted text isn't kept after the dialog closes.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (before) => before,
  });
  const choose = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    try {
      useSnapshotText.setState({ text: await readManifest(file) });
    } catch (error) {
      notify('error', errorMessage(error));
    }
  };
  const { data, error, isFetching } = reading;
  const clean = isFetching ? undefined : data?.text;
  const queries = useQueryClient();
  // If the text contained secrets, replace it by the text without them. The result stays the same.
  useEffect(() => {
    if (clean === undefined || !data) return;
    queries.setQueryData<SnapshotAnswer>(['snapshot', profile, clean], { ...data, text: undefined });
    useSnapshotText.setState({ text: clean });
  }, [queries, profile, clean, data]);
  return (
    <PageDialog title={t(texts.title)} icon="search" size="large" onClose={closeDialog}>
      <div className={styles.body}>
        <div className={styles.source}>
          <p className={styles.intro}>{t(texts.intro)}</p>
          <CopyText text="kubectl get pod NAME -o yaml" label={t(texts.copyCommand)} />
          <textarea
            className={styles.text}
            aria-label={t(texts.text)}
            value={text}
            spellCheck={false}
            placeholder={'apiVersion: v1\nkind: Pod\nmetadata:\n  name: …\nstatus:\n  …'}
            onChange={({ currentTarget }) => useSnapshotText.setState({ text: currentTarget.value })}
          />
          <div className={styles.tools}>
            <FileTrigger acceptedFileTypes={['.yaml', '.yml', '.json']} onSelect={(files) => void choose(files?.[0])}>
              <Button icon="file">{t(texts.open)}</Button>
            </FileTrigger>
            <Select
              label={t(texts.profile)}
              value={profile}
              options={profiles.map((id) => ({ id, label: `kubelet ${id}` }))}
              onChange={(id) => setProfile(id === 'v1.20' ? id : 'v1.36')}
            />
          </div>
        </div>
        <div className={styles.result} aria-live="polite" aria-busy={isFetching}>
          {text.trim() === '' && <EmptyState title={t(texts.empty)} />}
          {isFetching && <p className={styles.busy}>{t(texts.reading)}</p>}
          {error && <p className={styles.bad}>{error.message}</p>}
          {data && data.errors.length > 0 && (
            <section aria-label={t(texts.errors)}>
              <h4 className={styles.label}>{t(texts.errors)}</h4>
              <ul className={styles.bad}>
                {data.errors.map((problem) => {
                  const said = describeProblem(t, problem);
                  return <li key={said}>{said}</li>;
                })}
              </ul>
            </section>
          )}
          {data?.notices.map((notice) => {
            const said = translateNotice(t, notice);
            return (
              <p key={said} className={styles.notice}>
                {said}
              </p>
            );
          })}
          {/* The pod isn't on the page, so its fields are plain text. */}
          <ShowFieldContext value={undefined}>
            {data?.outlooks.map((outlook) => (
              <OutlookCard
                key={outlook.pod.uid}
                outlook={outlook}
                onGoOn={() => {
                  openLocalRun({ profile, paused: true, snapshot: { text, pod: outlook.pod.uid } });
                  closeDialog();
                }}
              />
            ))}
          </ShowFieldContext>
        </div>
      </div>
    </PageDialog>
  );
}
