/** Renders the fields of an exercise: its scenario and pod, the manifest to repair, and the solution. */
import { isRecord } from '@podscope/base';
import type { DraftExercise } from '@podscope/lessons';
import { scenarios } from '@podscope/scenarios';
import { useLanguage, useT } from '../../../base/i18n/i18n.ts';
import { Select } from '../../../base/ui/fields/Select.tsx';
import { StateMark } from '../../../base/ui/marks/StateMark.tsx';
import { type ExerciseCheck, exerciseScenario } from '../draft/check-exercise-draft.ts';
import { changeExercise, changeManifest, podIn, useDraft } from '../draft/draft-store.ts';
import styles from '../LessonEditor.module.css';
import { editorMessages as texts } from '../messages.en.ts';
import { MembersField } from './MembersField.tsx';

interface ExerciseFieldsProps {
  readonly exercise: DraftExercise;
  readonly check: ExerciseCheck | undefined;
}

const ownFields = ['scenario', 'pod', 'at', 'seconds'];

/** Returns the fields of the exercise that the form doesn't show as separate inputs. */
const otherMembers = (words: DraftExercise['words']): DraftExercise['words'] =>
  Object.fromEntries(Object.entries(words).filter(([word]) => !ownFields.includes(word)));

interface YamlFieldProps {
  readonly label: string;
  readonly text: string;
  readonly isReadOnly?: boolean;
  readonly onChange: (text: string) => void;
}

function YamlField({ label, text, isReadOnly = false, onChange }: YamlFieldProps) {
  return (
    <label className={styles.label}>
      {label}
      <textarea
        className={styles.code}
        rows={Math.max(8, text.split('\n').length)}
        spellCheck={false}
        readOnly={isReadOnly}
        value={text}
        onChange={({ target }) => onChange(target.value)}
      />
    </label>
  );
}

/** Returns a member of the exercise for a text field; empty if it isn't text. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function ScenarioField({ words }: { readonly words: DraftExercise['words'] }) {
  const t = useT();
  const language = useLanguage() === 'zh-CN' ? 'zh' : 'en';
  const own = useDraft(({ draft }) => draft.scenarios);
  const ids = own.flatMap((value) => (isRecord(value) ? [String(value['id'])] : []));
  const change = (id: string): void => {
    const manifest = exerciseScenario(own, id)?.manifest ?? '';
    changeExercise({ words: { ...words, scenario: id, pod: podIn(manifest) }, solution: manifest });
  };
  return (
    <Select
      label={t(texts.scenario)}
      value={textOf(words['scenario'])}
      options={[
        ...ids.map((id) => ({ id, label: t(texts.ownScenario, { id }) })),
        ...scenarios
          .filter(({ id, policy }) => policy === undefined && !ids.includes(id))
          .map(({ id, title }) => ({ id, label: title[language] })),
      ]}
      onChange={change}
    />
  );
}

export function ExerciseFields({ exercise: { words, solution }, check }: ExerciseFieldsProps) {
  const t = useT();
  const own = useDraft(({ draft }) => draft.scenarios);
  const id = words['scenario'];
  const isOwn = own.some((value) => isRecord(value) && value['id'] === id);
  const setWord = (word: string, value: unknown): void => changeExercise({ words: { ...words, [word]: value } });
  return (
    <section aria-label={t(texts.exercise)} className={styles.options}>
      <div className={styles.row}>
        <ScenarioField words={words} />
        <label className={styles.label}>
          {t(texts.pod)}
          <input
            className={styles.field}
            value={textOf(words['pod'])}
            onChange={({ target }) => setWord('pod', target.value)}
          />
        </label>
        {(['at', 'seconds'] as const).map((word) => (
          <label key={word} className={styles.label}>
            {t(word === 'at' ? texts.begins : texts.duration)}
            <input
              className={styles.number}
              type="number"
              min={word === 'at' ? 0 : 1}
              value={Number(words[word] ?? 0)}
              onChange={({ target }) => setWord(word, Number(target.value))}
            />
          </label>
        ))}
      </div>
      <div className={styles.columns}>
        <div className={styles.column}>
          <YamlField
            label={t(texts.manifest)}
            text={exerciseScenario(own, id)?.manifest ?? ''}
            isReadOnly={!isOwn}
            onChange={(text) => changeManifest(id, text)}
          />
          {!isOwn && <p className={styles.note}>{t(texts.fromLibrary)}</p>}
        </div>
        <div className={styles.column}>
          <YamlField
            label={t(texts.solution)}
            text={solution}
            onChange={(text) => changeExercise({ solution: text })}
          />
          {check?.refusals.map((refusal) => (
            <p key={refusal} className={styles.verdict} role="status">
              <StateMark tone="error" size={12} /> {refusal}
            </p>
          ))}
        </div>
      </div>
      <MembersField
        label={t(texts.members)}
        members={otherMembers(words)}
        onChange={(members = {}) => {
          const { scenario, pod, at, seconds } = words;
          changeExercise({ words: { ...members, scenario, pod, at, seconds } });
        }}
      />
    </section>
  );
}
