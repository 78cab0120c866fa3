/** Renders the dialog of saved runs: search, open, name, export, delete. Default export: loaded when first opened. */
import type { RunSummary } from '@podscope/protocol';
import { useState } from 'react';
import { FileTrigger, ListBox, ListBoxItem } from 'react-aria-components';
import { useT } from '../../base/i18n/i18n.ts';
import { Button } from '../../base/ui/fields/Button.tsx';
import { SearchField } from '../../base/ui/fields/SearchField.tsx';
import { EmptyState } from '../../base/ui/layout/EmptyState.tsx';
import { PageDialog } from '../../base/ui/layout/PageDialog.tsx';
import { Chip } from '../../base/ui/marks/Chip.tsx';
import type { Tone } from '../../base/ui/marks/StateMark.tsx';
import { useSession } from '../../node/run/node-session.ts';
import { closeDialog } from '../../node/view/interface.ts';
import { openFiles } from '../open-file/index.ts';
import { shareActions } from '../share/index.ts';
import { runsMessages as texts } from './messages.en.ts';
import { RunDetails } from './RunDetails.tsx';
import styles from './Runs.module.css';
import { matchesRun, runDate, runTitle, runtimeText } from './run-words.ts';
import { useSavedRuns } from './use-saved-runs.ts';

const tones: Readonly<Record<RunSummary['state'], Tone>> = {
  current: 'running',
  ended: 'done',
  interrupted: 'waiting',
};

function Item({ run }: { readonly run: RunSummary }) {
  const t = useT();
  return (
    <ListBoxItem id={run.id} textValue={runTitle(run)} className={styles.item}>
      <span className={styles.line}>
        <span className={styles.name}>{runTitle(run)}</span>
        <Chip tone={tones[run.state]}>{t(run.imported ? texts.imported : texts[run.state])}</Chip>
      </span>
      <span className={styles.line}>
        <span className={styles.sub}>
          {[run.title === undefined ? undefined : runDate(run), runtimeText(run), run.profile]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </span>
      {run.tags.length > 0 && (
        <span className={styles.tags}>
          {run.tags.map((tag) => (
            <span key={tag} className={styles.tag}>
              {tag}
            </span>
          ))}
        </span>
      )}
    </ListBoxItem>
  );
}

function NotKept() {
  const session = useSession();
  const t = useT();
  return (
    <EmptyState icon="runs" title={t(texts.notKept)}>
      <p>{t(texts.notKeptHow)}</p>
      <div className={styles.choices}>
        <Button icon="download" onPress={() => void shareActions.find(({ id }) => id === 'file')?.run(session)}>
          {t(texts.saveThis)}
        </Button>
      </div>
    </EmptyState>
  );
}

function Content() {
  const { runs, isUnsupported, error, retry } = useSavedRuns();
  const t = useT();
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<string>();
  if (isUnsupported) return <NotKept />;
  if (!runs && error) {
    return (
      <EmptyState icon="warning" title={t(texts.failed)}>
        <p>{error.message}</p>
        <div className={styles.choices}>
          <Button onPress={retry}>{t(texts.retry)}</Button>
        </div>
      </EmptyState>
    );
  }
  if (!runs) return <EmptyState busy title={t(texts.reading)} />;
  const found = runs.filter((run) => matchesRun(run, search));
  const run = found.find(({ id }) => id === chosen) ?? found[0];
  return (
    <div className={styles.columns}>
      <div className={styles.left}>
        <div className={styles.search}>
          <SearchField label={t(texts.search)} value={search} onChange={setSearch} />
        </div>
        <ListBox
          aria-label={t(texts.list)}
          className={styles.list}
          items={found.map((each) => ({ id: each.id, run: each }))}
          selectionMode="single"
          disallowEmptySelection
          selectedKeys={run ? [run.id] : []}
          onSelectionChange={(keys) => keys !== 'all' && setChosen([...keys].map(String)[0])}
          renderEmptyState={() => <p className={styles.none}>{t(texts.noneMatches)}</p>}
        >
          {({ run: each }) => <Item run={each} />}
        </ListBox>
      </div>
      {run ? (
        <RunDetails key={run.id} run={run} onDeleted={() => setChosen(undefined)} />
      ) : (
        <EmptyState title={t(texts.chooseOne)} />
      )}
    </div>
  );
}

export default function RunsDialog() {
  const t = useT();
  const open = (file: File | undefined): void => {
    if (!file) return;
    closeDialog();
    void openFiles([file]);
  };
  return (
    <PageDialog
      title={t(texts.title)}
      icon="runs"
      size="large"
      onClose={closeDialog}
      tools={
        <FileTrigger onSelect={(files) => open(files?.[0])}>
          <Button kind="quiet" icon="file">
            {t(texts.openFile)}
          </Button>
        </FileTrigger>
      }
    >
      <div className={styles.body}>
        <Content />
      </div>
    </PageDialog>
  );
}
