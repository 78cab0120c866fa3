/** Lists all lessons with the user's progress. Default export: loaded when first opened. */
import { errorMessage } from '@podscope/base';
import { type Lesson, lessonLevels, levelOfLesson } from '@podscope/lessons';
import { useQuery } from '@tanstack/react-query';
import { FileTrigger } from 'react-aria-components';
import { useLanguage, useT } from '../../base/i18n/i18n.ts';
import { notify } from '../../base/notices/notices.ts';
import { usePreferences } from '../../base/preferences/preferences.ts';
import { Button } from '../../base/ui/fields/Button.tsx';
import { EmptyState } from '../../base/ui/layout/EmptyState.tsx';
import { PageDialog } from '../../base/ui/layout/PageDialog.tsx';
import { SpokenText } from '../../base/ui/marks/SpokenText.tsx';
import { download } from '../../node/files/save-run.ts';
import { closeDialog, openDialog } from '../../node/view/interface.ts';
import styles from './LessonsDialog.module.css';
import { lessonIds, loadLesson } from './library/lesson-library.ts';
import { loadProgress, progressFileName, progressText } from './library/progress-file.ts';
import { levelMessages, lessonMessages as texts } from './messages.en.ts';
import { lessonOfFiles } from './open-lesson.ts';
import { openGivenLesson, openLesson } from './player/play-lesson.ts';

const notifyError = (error: unknown): void => notify('error', errorMessage(error));

async function openFiles(files: readonly File[]): Promise<void> {
  try {
    const lesson = await lessonOfFiles(files);
    if (!lesson) return;
    closeDialog();
    await openGivenLesson(lesson);
  } catch (error) {
    notifyError(error);
  }
}

/** Returns the lessons in groups, one for each level. */
const groupsOf = (lessons: readonly Lesson[]) =>
  lessonLevels.map((level) => ({
    title: levelMessages[level],
    lessons: lessons.filter(({ id }) => levelOfLesson(id) === level),
  }));

function LessonList({ lessons }: { readonly lessons: readonly Lesson[] }) {
  const t = useT();
  const progress = usePreferences(({ lessonProgress }) => lessonProgress);
  return (
    <ol className={styles.lessons}>
      {lessons.map(({ id, title, summary, minutes, steps }) => {
        const done = steps.filter((step) => progress[id]?.includes(step.id)).length;
        const next = steps.find((step) => !progress[id]?.includes(step.id));
        return (
          <li key={id} className={styles.lesson}>
            <button
              type="button"
              className={styles.open}
              onClick={() => {
                closeDialog();
                openLesson(id, next?.id).catch(notifyError);
              }}
            >
              <span className={styles.title}>
                <SpokenText>{t(done > 0 && next ? texts.continue : texts.start)} </SpokenText>
                {title}
              </span>
              <span className={styles.summary}>{summary}</span>
              <span className={styles.facts}>
                {t(texts.minutes, { minutes })} ·{' '}
                {done === steps.length ? t(texts.complete) : t(texts.progress, { done, count: steps.length })}
              </span>
            </button>
          </li>
        );
      })}
    </ol>
  );
}

export default function LessonsDialog() {
  const t = useT();
  const language = useLanguage();
  const { data } = useQuery({
    queryKey: ['lessons', language],
    queryFn: () => Promise.all(lessonIds.map((id) => loadLesson(id, language))),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <PageDialog title={t(texts.title)} icon="play" onClose={closeDialog}>
      <div className={styles.body}>
        <div className={styles.top}>
          <p>{t(texts.intro)}</p>
          <Button icon="edit" onPress={() => openDialog('lessonEditor')}>
            {t(texts.write)}
          </Button>
          <FileTrigger
            acceptedFileTypes={['.md', 'text/markdown']}
            allowsMultiple
            onSelect={(files) => void openFiles(Array.from(files ?? []))}
          >
            <Button icon="file">{t(texts.own)}</Button>
          </FileTrigger>
        </div>
        {!data && <EmptyState busy title={t(texts.setting)} />}
        {data &&
          groupsOf(data).map(({ title, lessons }) => (
            <section key={title.id} className={styles.group} aria-label={t(title)}>
              <h3 className={styles.heading}>{t(title)}</h3>
              <LessonList lessons={lessons} />
            </section>
          ))}
        <div className={styles.progress}>
          <Button
            icon="download"
            onPress={() => download(new Blob([progressText()], { type: 'application/json' }), progressFileName)}
          >
            {t(texts.saveProgress)}
          </Button>
          <FileTrigger
            acceptedFileTypes={['.json', 'application/json']}
            onSelect={(files) => void files?.[0]?.text().then(loadProgress).catch(notifyError)}
          >
            <Button icon="file">{t(texts.loadProgress)}</Button>
          </FileTrigger>
        </div>
      </div>
    </PageDialog>
  );
}
