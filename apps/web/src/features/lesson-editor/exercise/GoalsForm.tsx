/** Renders the goals of an exercise. Each goal has a text, and a condition with its result in the attempts. */
import { type DraftStep, lessonLanguages } from '@podscope/lessons';
import { useT } from '../../../base/i18n/i18n.ts';
import { Button, IconButton } from '../../../base/ui/fields/Button.tsx';
import { Select } from '../../../base/ui/fields/Select.tsx';
import { StateMark } from '../../../base/ui/marks/StateMark.tsx';
import { translateProblem } from '../../lessons/index.ts';
import type { ExerciseCheck, GoalCheck } from '../draft/check-exercise-draft.ts';
import { changeExercise, changeStep } from '../draft/draft-store.ts';
import styles from '../LessonEditor.module.css';
import { editorMessages as texts } from '../messages.en.ts';
import { suggestedGoals } from './suggested-claims.ts';
import { changeEntry, changeLists, withEntry } from './text-lists.ts';

const answer = (isMet: boolean): 'yes' | 'no' => (isMet ? 'yes' : 'no');

function Verdict({ check }: { readonly check: GoalCheck | undefined }) {
  const t = useT();
  if (check?.problem !== undefined)
    return (
      <span className={styles.verdict} role="status">
        <StateMark tone="error" size={12} /> {translateProblem(t, check.problem)}
      </span>
    );
  const { solved, unchanged } = check ?? {};
  return (
    <span className={styles.verdict} role="status">
      {solved !== undefined && (
        <>
          <StateMark tone={solved ? 'done' : 'error'} size={12} />{' '}
          {t(texts.solutionMeets, {
            isMet: answer(solved),
          })}{' '}
        </>
      )}
      {unchanged !== undefined && t(texts.unchangedMeets, { isMet: answer(unchanged) })}
    </span>
  );
}

interface GoalsFormProps {
  readonly step: DraftStep;
  readonly check: ExerciseCheck;
}

export function GoalsForm({ step, check }: GoalsFormProps) {
  const t = useT();
  const { goals = [], words } = step.exercise ?? {};
  const suggestions = suggestedGoals(check.unchanged, check.solved, Number(words?.['seconds'] ?? 0));
  const setGoal = (index: number, text: string): void => changeExercise({ goals: withEntry(goals, index, text) });
  const remove = (index: number): void => {
    changeExercise({ goals: goals.filter((_, place) => place !== index) });
    changeStep(changeLists('goals', (list) => list.filter((_, place) => place !== index)));
  };
  const add = (): void => {
    changeStep(changeLists('goals', (list) => withEntry(list, goals.length, '')));
    changeExercise({ goals: [...goals, ''] });
  };
  return (
    <section aria-label={t(texts.goals)} className={styles.options}>
      {goals.map((goal, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: goals have no identity but their place.
        <fieldset key={index} className={styles.option}>
          <legend>{t(texts.goal, { number: index + 1 })}</legend>
          <div className={styles.row}>
            <label className={styles.claim}>
              {t(texts.condition)}
              <input
                className={styles.codeField}
                spellCheck={false}
                value={goal}
                onChange={({ target }) => setGoal(index, target.value)}
              />
            </label>
            <Select
              label={t(texts.goalSuggestion, { number: index + 1 })}
              value=""
              options={[{ id: '', label: t(texts.fromRun) }, ...suggestions.map((text) => ({ id: text, label: text }))]}
              onChange={(text) => setGoal(index, text)}
            />
            <IconButton icon="trash" label={t(texts.removeGoal, { number: index + 1 })} onPress={() => remove(index)} />
          </div>
          <Verdict check={check.goals[index]} />
          <div className={styles.columns}>
            {lessonLanguages.map((language) => (
              <label key={language} className={styles.label} lang={language}>
                {t(texts.goalText, { name: t(texts.language, { language }) })}
                <input
                  className={styles.field}
                  value={step.texts[language].goals[index] ?? ''}
                  onChange={({ target }) => changeStep(changeEntry(language, 'goals', index, target.value))}
                />
              </label>
            ))}
          </div>
        </fieldset>
      ))}
      <Button icon="plus" onPress={add}>
        {t(texts.addGoal)}
      </Button>
    </section>
  );
}
