/** Renders the form of a step: its scene, and the texts in both languages with their preview. */
import { isRecord } from '@podscope/base';
import { type DraftStep, type LessonLanguage, lessonLanguages, type Run } from '@podscope/lessons';
import { useState } from 'react';
import Markdown from 'react-markdown';
import { parse, stringify } from 'yaml';
import { useT } from '../../base/i18n/i18n.ts';
import { Button } from '../../base/ui/fields/Button.tsx';
import type { OptionCheck } from './check-draft.ts';
import { changeStep, changeTexts, removeStep } from './draft-store.ts';
import styles from './LessonEditor.module.css';
import { editorMessages as texts } from './messages.en.ts';
import { OptionsForm } from './OptionsForm.tsx';

/** Edits the members of the scene as YAML. Text that isn't a map is kept in the field until it is one. */
function SceneField({ step }: { readonly step: DraftStep }) {
  const t = useT();
  const words = step.scene?.words ?? {};
  const [text, setText] = useState(() => (step.scene ? stringify(words, { collectionStyle: 'block' }) : ''));
  const [problem, setProblem] = useState(false);
  const change = (given: string): void => {
    setText(given);
    try {
      const value: unknown = given.trim() === '' ? undefined : parse(given, { maxAliasCount: 0 });
      const isEmpty = value === undefined || value === null;
      setProblem(!isEmpty && !isRecord(value));
      if (isEmpty) changeStep((now) => ({ ...now, scene: undefined }));
      else if (isRecord(value))
        changeStep((now) => ({ ...now, scene: { words: value, claims: now.scene?.claims ?? [] } }));
    } catch {
      setProblem(true);
    }
  };
  return (
    <label className={styles.label}>
      {t(texts.scene)}
      <textarea
        className={styles.code}
        rows={Math.max(3, text.split('\n').length)}
        spellCheck={false}
        aria-invalid={problem}
        value={text}
        onChange={({ target }) => change(target.value)}
      />
    </label>
  );
}

interface StepFormProps {
  readonly step: DraftStep;
  readonly options: readonly OptionCheck[];
  /** The run of the step's scene, for suggestions. */
  readonly run: Run | undefined;
}

function Texts({ step, language }: { readonly step: DraftStep; readonly language: LessonLanguage }) {
  const t = useT();
  const { title, body, question, explanation } = step.texts[language];
  const name = t(texts.language, { language });
  return (
    <div className={styles.column} lang={language}>
      <label className={styles.label}>
        {t(texts.stepTitle, { name })}
        <input
          className={styles.field}
          value={title}
          onChange={({ target }) => changeTexts(language, { title: target.value })}
        />
      </label>
      <label className={styles.label}>
        {t(texts.text, { name })}
        <textarea
          className={styles.area}
          value={body}
          onChange={({ target }) => changeTexts(language, { body: target.value })}
        />
      </label>
      <div className={styles.preview} role="group" aria-label={t(texts.preview, { name })}>
        <Markdown>{body}</Markdown>
      </div>
      <label className={styles.label}>
        {t(texts.question, { name })}
        <input
          className={styles.field}
          value={question}
          onChange={({ target }) => changeTexts(language, { question: target.value })}
        />
      </label>
      <label className={styles.label}>
        {t(texts.explanation, { name })}
        <textarea
          className={styles.small}
          value={explanation}
          onChange={({ target }) => changeTexts(language, { explanation: target.value })}
        />
      </label>
    </div>
  );
}

export function StepForm({ step, options, run }: StepFormProps) {
  const t = useT();
  return (
    <section className={styles.form} aria-label={t(texts.step)}>
      <div className={styles.row}>
        <label className={styles.label}>
          {t(texts.stepId)}
          <input
            className={styles.field}
            value={step.id}
            onChange={({ target }) => changeStep((now) => ({ ...now, id: target.value }))}
          />
        </label>
        <span className={styles.gap} />
        <Button icon="trash" onPress={removeStep}>
          {t(texts.removeStep)}
        </Button>
      </div>
      <SceneField step={step} />
      <div className={styles.columns}>
        {lessonLanguages.map((language) => (
          <Texts key={language} step={step} language={language} />
        ))}
      </div>
      {step.scene && <OptionsForm step={step} options={options} run={run} />}
    </section>
  );
}
