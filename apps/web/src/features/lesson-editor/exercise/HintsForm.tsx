/** Renders the hints of an exercise in both languages. */
import { type DraftStep, lessonLanguages } from '@podscope/lessons';
import { useT } from '../../../base/i18n/i18n.ts';
import { Button, IconButton } from '../../../base/ui/fields/Button.tsx';
import { changeStep } from '../draft/draft-store.ts';
import styles from '../LessonEditor.module.css';
import { editorMessages as texts } from '../messages.en.ts';
import { changeEntry, changeLists, withEntry } from './text-lists.ts';

export function HintsForm({ step }: { readonly step: DraftStep }) {
  const t = useT();
  const count = Math.max(...lessonLanguages.map((language) => step.texts[language].hints.length));
  return (
    <section aria-label={t(texts.hints)} className={styles.options}>
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: hints have no identity but their place.
        <fieldset key={index} className={styles.option}>
          <legend>{t(texts.hint, { number: index + 1 })}</legend>
          <div className={styles.columns}>
            {lessonLanguages.map((language) => (
              <label key={language} className={styles.label} lang={language}>
                {t(texts.hintText, { name: t(texts.language, { language }) })}
                <textarea
                  className={styles.small}
                  value={step.texts[language].hints[index] ?? ''}
                  onChange={({ target }) => changeStep(changeEntry(language, 'hints', index, target.value))}
                />
              </label>
            ))}
          </div>
          <IconButton
            icon="trash"
            label={t(texts.removeHint, { number: index + 1 })}
            onPress={() => changeStep(changeLists('hints', (list) => list.filter((_, place) => place !== index)))}
          />
        </fieldset>
      ))}
      <Button icon="plus" onPress={() => changeStep(changeLists('hints', (list) => withEntry(list, count, '')))}>
        {t(texts.addHint)}
      </Button>
    </section>
  );
}
