/** Shows one saved run: facts, title, tags, notes and actions. */
import { type RunSummary, runExportFormats } from '@podscope/protocol';
import { formatDuration } from '@podscope/timeline';
import { type FormEvent, useState } from 'react';
import { useT } from '../../base/i18n/i18n.ts';
import { Button, IconButton } from '../../base/ui/fields/Button.tsx';
import { openSavedRun, returnToNode, useOpenNode } from '../../node/run/open-node.ts';
import { useRefusal } from '../../node/run/refusal.ts';
import { closeDialog } from '../../node/view/interface.ts';
import { runsMessages as texts } from './messages.en.ts';
import styles from './Runs.module.css';
import { readTags, runDate, runTitle, runtimeText, sizeText } from './run-words.ts';
import { useRunCommand } from './use-saved-runs.ts';

const formatNames = { perfetto: 'Perfetto', otlp: 'OTLP' } as const;

/**
 * Returns the reason why saved runs can't be changed. It depends on the page's server, even while the page shows
 * another node.
 */
function useRunRefusal(): string | undefined {
  return useRefusal(
    'node',
    useOpenNode(({ home }) => home),
  );
}

function About({ run }: { readonly run: RunSummary }) {
  const t = useT();
  const refusal = useRunRefusal();
  const rename = useRunCommand<'renameRun'>();
  const tag = useRunCommand<'tagRun'>();
  const [title, setTitle] = useState(run.title ?? '');
  const [tags, setTags] = useState(run.tags.join(' '));
  const isChanged = title.trim() !== (run.title ?? '') || readTags(tags).join(' ') !== run.tags.join(' ');
  const save = (event: FormEvent): void => {
    event.preventDefault();
    if (title.trim() !== (run.title ?? '')) rename.mutate({ command: 'renameRun', run: run.id, title: title.trim() });
    if (readTags(tags).join(' ') !== run.tags.join(' '))
      tag.mutate({ command: 'tagRun', run: run.id, tags: readTags(tags) });
  };
  return (
    <form className={styles.form} onSubmit={save}>
      <label className={styles.field}>
        <span>{t(texts.name)}</span>
        <input
          value={title}
          disabled={refusal !== undefined}
          title={refusal}
          maxLength={200}
          placeholder={t(texts.nameHint)}
          onChange={({ target }) => setTitle(target.value)}
        />
      </label>
      <label className={styles.field}>
        <span>{t(texts.tags)}</span>
        <input
          value={tags}
          disabled={refusal !== undefined}
          title={refusal}
          placeholder={t(texts.tagsHint)}
          spellCheck={false}
          onChange={({ target }) => setTags(target.value)}
        />
      </label>
      {isChanged && (
        <div className={styles.end}>
          <Button kind="primary" type="submit" refusal={refusal} isDisabled={rename.isPending || tag.isPending}>
            {t(texts.save)}
          </Button>
        </div>
      )}
    </form>
  );
}

function Notes({ run }: { readonly run: RunSummary }) {
  const t = useT();
  const refusal = useRunRefusal();
  const annotate = useRunCommand<'annotateRun'>();
  const [draft, setDraft] = useState('');
  const add = (event: FormEvent): void => {
    event.preventDefault();
    if (draft.trim() === '') return;
    annotate.mutate({ command: 'annotateRun', run: run.id, text: draft.trim() });
    setDraft('');
  };
  return (
    <section aria-label={t(texts.notes)}>
      <h4 className={styles.heading}>{t(texts.notes)}</h4>
      <ul>
        {run.notes.map(({ id, text, seq }) => (
          <li key={id} className={styles.note}>
            <span className={styles.noteText}>
              {text}
              {seq !== undefined && <span className={styles.quiet}> {t(texts.noteAt, { seq })}</span>}
            </span>
            <IconButton
              icon="close"
              label={t(texts.removeNote)}
              refusal={refusal}
              onPress={() => annotate.mutate({ command: 'annotateRun', run: run.id, note: id, text: '' })}
            />
          </li>
        ))}
      </ul>
      <form className={styles.adding} onSubmit={add}>
        <input
          className={styles.input}
          value={draft}
          disabled={refusal !== undefined}
          title={refusal}
          placeholder={t(texts.addNote)}
          aria-label={t(texts.noteText)}
          onChange={({ target }) => setDraft(target.value)}
        />
      </form>
    </section>
  );
}

function Deletion({ run, onDone }: { readonly run: RunSummary; readonly onDone: () => void }) {
  const t = useT();
  const refusal = useRunRefusal();
  const [isAsking, setAsking] = useState(false);
  const remove = useRunCommand<'deleteRun'>(() => {
    // Close a run that is deleted while it is shown.
    if (useOpenNode.getState().savedRun === run.id) returnToNode();
    onDone();
  });
  if (!isAsking) {
    return (
      <Button kind="danger" icon="trash" refusal={refusal} onPress={() => setAsking(true)}>
        {t(texts.delete)}
      </Button>
    );
  }
  return (
    <span className={styles.asking} role="alert">
      {t(texts.deleteQuestion)}
      <Button onPress={() => setAsking(false)}>{t(texts.keep)}</Button>
      <Button
        kind="danger"
        refusal={refusal}
        isDisabled={remove.isPending}
        onPress={() => remove.mutate({ command: 'deleteRun', run: run.id })}
      >
        {t(texts.delete)}
      </Button>
    </span>
  );
}

export function RunDetails({ run, onDeleted }: { readonly run: RunSummary; readonly onDeleted: () => void }) {
  const t = useT();
  const { savedRun, session, home } = useOpenNode();
  const isCurrent = run.state === 'current';
  const isShown = isCurrent ? session === home : savedRun === run.id;
  const exported = useRunCommand<'exportRun'>(({ path, fileName }) => {
    const link = document.createElement('a');
    link.href = path;
    link.download = fileName;
    link.click();
  });
  const open = (): void => {
    if (isCurrent) returnToNode();
    else openSavedRun(run.id);
    closeDialog();
  };
  const facts = [
    [t(texts.started), runDate(run)],
    [t(texts.lasted), run.endedAt === undefined ? t(texts[run.state]) : formatDuration(run.endedAt - run.startedAt)],
    [t(texts.runtime), runtimeText(run)],
    [t(texts.release), run.profile],
    [t(texts.node), run.nodeName],
    [
      t(texts.size),
      `${t(texts.events, { count: run.lastSeq === 0 ? 0 : run.lastSeq - run.firstSeq + 1 })} · ${sizeText(run.bytes)}`,
    ],
  ] as const;
  return (
    <section className={styles.details} aria-label={runTitle(run)}>
      <header className={styles.detailsHead}>
        <h3 className={styles.title}>{runTitle(run)}</h3>
        <Button kind="primary" isDisabled={isShown} onPress={open}>
          {t(isShown ? texts.showing : texts.open)}
        </Button>
      </header>
      <dl className={styles.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <About key={`${run.id} ${run.title ?? ''} ${run.tags.join(' ')}`} run={run} />
      <Notes run={run} />
      <footer className={styles.actions}>
        <span className={styles.quiet}>{t(texts.export)}</span>
        {runExportFormats.map((format) => (
          <Button key={format} onPress={() => exported.mutate({ command: 'exportRun', run: run.id, format })}>
            {format === 'file' ? t(texts.exportFile) : formatNames[format]}
          </Button>
        ))}
        <span className={styles.gap} />
        {!isCurrent && <Deletion key={run.id} run={run} onDone={onDeleted} />}
      </footer>
    </section>
  );
}
