/** Renders the options of a step's question. Each option has a text, and a claim that the run judges. */
import { type DraftStep, type LessonLanguage, lessonLanguages, type Run } from '@podscope/lessons';
import { useT } from '../../../base/i18n/i18n.ts';
import { Button, IconButton } from '../../../base/ui/fields/Button.tsx';
import { Select } from '../../../base/ui/fields/Select.tsx';
import { StateMark } from '../../../base/ui/marks/StateMark.tsx';
import { translateProblem } from '../../lessons/index.ts';
import type { OptionCheck } from '../draft/check-draft.ts';
import { changeStep } from '../draft/draft-store.ts';
import { suggestedClaims } from '../exercise/suggested-claims.ts';
import styles from '../LessonEditor.module.css';
import { editorMessages as texts } from '../messages.en.ts';

const setClaim = (index: number, text: string): void =>
  changeStep((step) => ({
    ...step,
    scene: step.scene && { ...step.scene, claims: step.scene.claims.map((claim, at) => (at === index ? text : claim)) },
  }));

/** Changes the list of options in both languages. */
const changeOptions = (
  change: (options: DraftStep['texts']['en']['options']) => DraftStep['texts']['en']['options'],
  claims: (claims: readonly string[]) => readonly string[],
): void =>
  changeStep((step) => ({
    ...step,
    scene: step.scene && { ...step.scene, claims: claims(step.scene.claims) },
    texts: {
      en: { ...step.texts.en, options: change(step.texts.en.options) },
      'zh-CN': { ...step.texts['zh-CN'], options: change(step.texts['zh-CN'].options) },
    },
  }));

const setOption = (language: LessonLanguage, index: number, changed: { text?: string; remark?: string }): void =>
  changeStep((step) => {
    const { options } = step.texts[language];
    const all = Array.from({ length: Math.max(options.length, index + 1) }, (_, at) => {
      const option = options[at] ?? { text: '', remark: '' };
      return at === index ? { ...option, ...changed } : option;
    });
    return { ...step, texts: { ...step.texts, [language]: { ...step.texts[language], options: all } } };
  });

function Verdict({ check }: { readonly check: OptionCheck | undefined }) {
  const t = useT();
  if (!check) return <span className={styles.verdict} />;
  if ('problem' in check)
    return (
      <span className={styles.verdict} role="status">
        <StateMark tone="error" size={12} /> {translateProblem(t, check.problem)}
      </span>
    );
  return (
    <span className={styles.verdict} role="status">
      <StateMark tone={check.holds ? 'done' : 'waiting'} size={12} /> {t(check.holds ? texts.holds : texts.holdsNot)}
    </span>
  );
}

interface OptionsFormProps {
  readonly step: DraftStep;
  readonly options: readonly OptionCheck[];
  readonly run: Run | undefined;
}

export function OptionsForm({ step, options, run }: OptionsFormProps) {
  const t = useT();
  const claims = step.scene?.claims ?? [];
  const { at, until } = step.scene?.words ?? {};
  const [from, to] = [Number(at ?? 0), Number(until ?? at ?? 0)];
  const suggestions = run ? suggestedClaims(run, from, to) : [];
  return (
    <section aria-label={t(texts.options)} className={styles.options}>
      {claims.map((claim, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: options have no identity but their place.
        <fieldset key={index} className={styles.option}>
          <legend>{t(texts.option, { number: index + 1 })}</legend>
          <div className={styles.row}>
            <label className={styles.claim}>
              {t(texts.claim)}
              <input
                className={styles.codeField}
                spellCheck={false}
                value={claim}
                onChange={({ target }) => setClaim(index, target.value)}
              />
            </label>
            <Select
              label={t(texts.suggestion, { number: index + 1 })}
              value=""
              options={[{ id: '', label: t(texts.fromRun) }, ...suggestions.map((text) => ({ id: text, label: text }))]}
              onChange={(text) => setClaim(index, text)}
            />
            <IconButton
              icon="trash"
              label={t(texts.removeOption, { number: index + 1 })}
              onPress={() =>
                changeOptions(
                  (list) => list.filter((_, place) => place !== index),
                  (list) => list.filter((_, place) => place !== index),
                )
              }
            />
          </div>
          <Verdict check={options[index]} />
          <div className={styles.columns}>
            {lessonLanguages.map((language) => {
              const option = step.texts[language].options[index];
              const name = t(texts.language, { language });
              return (
                <div key={language} className={styles.column} lang={language}>
                  <label className={styles.label}>
                    {t(texts.optionText, { name })}
                    <input
                      className={styles.field}
                      value={option?.text ?? ''}
                      onChange={({ target }) => setOption(language, index, { text: target.value })}
                    />
                  </label>
                  <label className={styles.label}>
                    {t(texts.remark, { name })}
                    <input
                      className={styles.field}
                      value={option?.remark ?? ''}
                      onChange={({ target }) => setOption(language, index, { remark: target.value })}
                    />
                  </label>
                </div>
              );
            })}
          </div>
        </fieldset>
      ))}
      <Button
        icon="plus"
        onPress={() =>
          changeOptions(
            (list) => [...list, { text: '', remark: '' }],
            (list) => [...list, ''],
          )
        }
      >
        {t(texts.addOption)}
      </Button>
    </section>
  );
}
