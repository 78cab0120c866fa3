/** Renders the form of a step: its scene, and its texts in both languages with a preview. */
import { type DraftStep, type LessonLanguage, lessonLanguages, type Run } from '@podscope/lessons';
import Markdown from 'react-markdown';
import { useT } from '../../../base/i18n/i18n.ts';
import { Button } from '../../../base/ui/fields/Button.tsx';
import type { OptionCheck } from '../draft/check-draft.ts';
import { type ExerciseCheck, noExerciseCheck } from '../draft/check-exercise-draft.ts';
import { changeStep, changeTexts, removeStep } from '../draft/draft-store.ts';
import { ExerciseFields } from '../exercise/ExerciseFields.tsx';
import { GoalsForm } from '../exercise/GoalsForm.tsx';
import { HintsForm } from '../exercise/HintsForm.tsx';
import { MembersField } from '../exercise/MembersField.tsx';
import styles from '../LessonEditor.module.css';
import { editorMessages as texts } from '../messages.en.ts';
import { OptionsForm } from './OptionsForm.tsx';

/** Edits the fields of the scene as YAML. */
function SceneField({ step }: { readonly step: DraftStep }) {
  const t = useT();
  return (
    <MembersField
      label={t(texts.scene)}
      members={step.scene?.words}
      onChange={(words) =>
        changeStep((now) => ({ ...now, scene: words && { words, claims: now.scene?.claims ?? [] } }))
      }
    />
  );
}

interface StepFormProps {
  readonly step: DraftStep;
  readonly options: readonly OptionCheck[];
  readonly exercise: ExerciseCheck | undefined;
  /** The run of the step's scene, for suggestions. */
  readonly run: Run | undefined;
}

function Texts({ step, language }: { readonly step: DraftStep; readonly language: LessonLanguage }) {
  const t = useT();
  const { title, body, question, explanation, notes } = step.texts[language];
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
      {!step.exercise && (
        <label className={styles.label}>
          {t(texts.question, { name })}
          <input
            className={styles.field}
            value={question}
            onChange={({ target }) => changeTexts(language, { question: target.value })}
          />
        </label>
      )}
      <label className={styles.label}>
        {t(step.exercise ? texts.repaired : texts.explanation, { name })}
        <textarea
          className={styles.small}
          value={explanation}
          onChange={({ target }) => changeTexts(language, { explanation: target.value })}
        />
      </label>
      <label className={styles.label}>
        {t(texts.notes, { name })}
        <textarea
          className={styles.small}
          value={notes}
          onChange={({ target }) => changeTexts(language, { notes: target.value })}
        />
      </label>
    </div>
  );
}

export function StepForm({ step, options, exercise, run }: StepFormProps) {
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
      {step.exercise ? <ExerciseFields exercise={step.exercise} check={exercise} /> : <SceneField step={step} />}
      <div className={styles.columns}>
        {lessonLanguages.map((language) => (
          <Texts key={language} step={step} language={language} />
        ))}
      </div>
      {step.exercise && <GoalsForm step={step} check={exercise ?? noExerciseCheck} />}
      {step.exercise && <HintsForm step={step} />}
      {step.scene && <OptionsForm step={step} options={options} run={run} />}
    </section>
  );
}
