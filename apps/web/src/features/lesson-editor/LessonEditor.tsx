/**
 * Renders the lesson editor. It records runs, edits the steps in both languages, checks the steps on the runs, and
 * saves files.
 */
import { errorMessage } from '@podscope/base';
import { formatLesson, type LessonLanguage, lessonLanguages, scenarioFileEnding } from '@podscope/lessons';
import { scenarios } from '@podscope/scenarios';
import { useEffect, useState } from 'react';
import { FileTrigger } from 'react-aria-components';
import { stringify } from 'yaml';
import { useLanguage, useT } from '../../base/i18n/i18n.ts';
import { notify } from '../../base/notices/notices.ts';
import { Button } from '../../base/ui/fields/Button.tsx';
import { Select } from '../../base/ui/fields/Select.tsx';
import { PageDialog } from '../../base/ui/layout/PageDialog.tsx';
import { cx } from '../../base/ui/marks/cx.ts';
import { download } from '../../node/files/save-run.ts';
import { closeDialog } from '../../node/view/interface.ts';
import { openGivenLesson } from '../lessons/index.ts';
import { checkDraft, type DraftCheck, fileNames, hasTranslation } from './draft/check-draft.ts';
import { draftLesson } from './draft/draft-lesson.ts';
import { addExercise, changeDraft, newDraft, openDraft, useDraft } from './draft/draft-store.ts';
import styles from './LessonEditor.module.css';
import { editorMessages as texts } from './messages.en.ts';
import { ProblemList } from './ProblemList.tsx';
import { startRecording } from './record.ts';
import { StepForm } from './step/StepForm.tsx';

const notifyError = (error: unknown): void => notify('error', errorMessage(error));

/** Time after the last key press until the draft is checked, in milliseconds. */
const quiet = 300;

/** Returns the result of the newest check of the draft. */
function useCheck(): DraftCheck | undefined {
  const draft = useDraft((state) => state.draft);
  const [check, setCheck] = useState<DraftCheck>();
  useEffect(() => {
    let isCurrent = true;
    const run = async (): Promise<void> => {
      const done = await checkDraft(draft);
      if (isCurrent) setCheck(done);
    };
    const timer = setTimeout(() => {
      run().catch(notifyError);
    }, quiet);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [draft]);
  return check;
}

function Recorder() {
  const t = useT();
  const words = useLanguage() === 'zh-CN' ? 'zh' : 'en';
  const [base, setBase] = useState('');
  const record = (): void => {
    closeDialog();
    startRecording(base === '' ? undefined : base).catch(notifyError);
  };
  return (
    <div className={styles.row}>
      <Select
        label={t(texts.base)}
        value={base}
        options={[
          { id: '', label: t(texts.emptyNode) },
          ...scenarios
            .filter(({ policy }) => policy === undefined)
            .map(({ id, title }) => ({ id, label: title[words] })),
        ]}
        onChange={setBase}
      />
      <Button icon="breakpoint" kind="primary" onPress={record}>
        {t(texts.record)}
      </Button>
      <Button icon="plus" onPress={addExercise}>
        {t(texts.addExercise)}
      </Button>
    </div>
  );
}

async function openFiles(files: FileList | null): Promise<void> {
  // Read the original before the translation, because the translation adds its texts to the original.
  const read = await Promise.all(
    Array.from(files ?? [], async (file) => ({ name: file.name, text: await file.text() })),
  );
  try {
    for (const { name, text } of read.toSorted((a, b) => a.name.length - b.name.length)) openDraft(text, name);
  } catch (error) {
    notifyError(error);
  }
}

function save(text: string, name: string): void {
  download(new Blob([text], { type: 'text/plain' }), name);
}

function Tools() {
  const t = useT();
  const draft = useDraft((state) => state.draft);
  const names = fileNames(draft);
  const play = async (): Promise<void> => {
    try {
      const lesson = draftLesson();
      if (!lesson) return;
      await openGivenLesson(lesson);
      closeDialog();
    } catch (error) {
      notifyError(error);
    }
  };
  return (
    <div className={styles.row}>
      <FileTrigger
        acceptedFileTypes={['.md', 'text/markdown']}
        allowsMultiple
        onSelect={(files) => void openFiles(files)}
      >
        <Button icon="file">{t(texts.open)}</Button>
      </FileTrigger>
      <Button onPress={newDraft}>{t(texts.clear)}</Button>
      <span className={styles.gap} />
      <Button icon="play" isDisabled={draft.steps.length === 0} onPress={() => void play()}>
        {t(texts.play)}
      </Button>
      <Button
        icon="download"
        isDisabled={draft.steps.length === 0}
        onPress={() => save(formatLesson(draft, 'en'), names.en)}
      >
        {t(texts.saveEnglish)}
      </Button>
      <Button
        icon="download"
        isDisabled={!hasTranslation(draft)}
        onPress={() => save(formatLesson(draft, 'zh-CN'), names['zh-CN'])}
      >
        {t(texts.saveChinese)}
      </Button>
      {draft.scenarios.map((scenario, index) => (
        <Button
          // biome-ignore lint/suspicious/noArrayIndexKey: scenarios are only appended and removed.
          key={index}
          icon="download"
          onPress={() =>
            save(stringify(scenario), `${draft.id}${index > 0 ? `-${index + 1}` : ''}${scenarioFileEnding}`)
          }
        >
          {t(texts.saveScenario)}
        </Button>
      ))}
    </div>
  );
}

function Head({ language }: { readonly language: LessonLanguage }) {
  const t = useT();
  const head = useDraft(({ draft }) => draft.heads[language]);
  const change = (changed: Partial<typeof head>): void =>
    changeDraft((draft) => ({ ...draft, heads: { ...draft.heads, [language]: { ...head, ...changed } } }));
  const name = t(texts.language, { language });
  return (
    <div className={styles.column} lang={language}>
      <label className={styles.label}>
        {t(texts.lessonTitle, { name })}
        <input className={styles.field} value={head.title} onChange={({ target }) => change({ title: target.value })} />
      </label>
      <label className={styles.label}>
        {t(texts.summary, { name })}
        <input
          className={styles.field}
          value={head.summary}
          onChange={({ target }) => change({ summary: target.value })}
        />
      </label>
    </div>
  );
}

export function LessonEditor() {
  const t = useT();
  const { draft, step } = useDraft();
  const check = useCheck();
  return (
    <PageDialog title={t(texts.title)} icon="edit" size="large" onClose={closeDialog}>
      <div className={styles.body}>
        <p className={styles.note}>{t(texts.intro)}</p>
        <Recorder />
        <Tools />
        <div className={styles.row}>
          <label className={styles.label}>
            {t(texts.id)}
            <input
              className={styles.field}
              value={draft.id}
              onChange={({ target }) => changeDraft((now) => ({ ...now, id: target.value }))}
            />
          </label>
          <label className={styles.label}>
            {t(texts.minutes)}
            <input
              className={styles.number}
              type="number"
              min={1}
              value={draft.minutes}
              onChange={({ target }) => changeDraft((now) => ({ ...now, minutes: Number(target.value) }))}
            />
          </label>
        </div>
        <div className={styles.columns}>
          {lessonLanguages.map((language) => (
            <Head key={language} language={language} />
          ))}
        </div>
        {draft.steps.length > 0 && (
          <nav className={styles.steps} aria-label={t(texts.steps)}>
            {draft.steps.map(({ id, texts: { en } }, index) => (
              <button
                key={id}
                type="button"
                aria-current={index === step ? 'step' : undefined}
                className={cx(styles.step, index === step && styles.shown)}
                onClick={() => useDraft.setState({ step: index })}
              >
                {index + 1}. {en.title || id}
              </button>
            ))}
          </nav>
        )}
        {draft.steps[step] && (
          <StepForm
            // biome-ignore lint/suspicious/noArrayIndexKey: a form belongs to a place in the list.
            key={step}
            step={draft.steps[step]}
            options={check?.options[step] ?? []}
            exercise={check?.exercises[step]}
            run={check?.runs[step]}
          />
        )}
        {check && draft.steps.length > 0 && <ProblemList problems={check.problems} />}
      </div>
    </PageDialog>
  );
}
