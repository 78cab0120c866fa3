/** Saves the report of the class as HTML or CSV. */
import { errorMessage } from '@podscope/base';
import { type ClassState, parseLessonQuestionId } from '@podscope/classroom';
import type { ReportQuestion, ReportTexts } from '@podscope/classroom/report';
import { currentLanguage, useT } from '../../../base/i18n/i18n.ts';
import { notify } from '../../../base/notices/notices.ts';
import { Button } from '../../../base/ui/fields/Button.tsx';
import { useClass } from '../client/class-store.ts';
import { answerText } from '../shared/answer-text.ts';
import styles from '../shared/Classroom.module.css';
import { classLesson } from '../shared/class-lessons.ts';
import { classMessages as texts } from '../shared/messages.en.ts';

/** Returns the texts of a question and its answers, from the teacher's question or from the lesson. */
async function worded(
  id: string,
  { questions, tasks }: ClassState,
  attempts: (count: number) => string,
): Promise<ReportQuestion> {
  const asked = questions.find(({ question }) => question.id === id)?.question;
  if (asked) return { id, text: asked.text, answerText: (answer) => answerText(asked, answer) };
  const parsed = parseLessonQuestionId(id);
  const lesson = parsed && (await classLesson(parsed.lesson, tasks));
  const step = lesson?.steps.find((each) => each.id === parsed?.step);
  if (step?.exercise) return { id, text: `${lesson?.title}: ${step.title}`, answerText: attempts };
  return {
    id,
    text: step?.question ? `${lesson?.title}: ${step.question.text}` : id,
    answerText: (answer) => step?.question?.options[answer] ?? String(answer + 1),
  };
}

export function ReportButtons() {
  const t = useT();
  const save = async (format: 'html' | 'csv'): Promise<void> => {
    const [{ questionsOf, reportCsv, reportHtml }, { download }] = await Promise.all([
      import('@podscope/classroom/report'),
      import('../../../node/files/save-run.ts'),
    ]);
    const { state } = useClass.getState();
    const attempts = (count: number): string => t(texts.attempts, { count });
    const questions = await Promise.all(questionsOf(state).map((id) => worded(id, state, attempts)));
    const words: ReportTexts = {
      title: t(texts.reportTitle),
      learner: t(texts.name),
      unnamed: (number) => t(texts.unnamed, { number }),
      right: t(texts.isRight),
      wrong: t(texts.isWrong),
      undecided: t(texts.isUndecided),
      unverified: (verdict) => t(texts.isUnverified, { verdict }),
      unanswered: t(texts.isUnanswered),
      score: t(texts.score),
      tasks: t(texts.tasks),
      questions: t(texts.questions),
      rightShare: t(texts.score),
      language: currentLanguage(),
    };
    const [text, type] =
      format === 'html'
        ? [reportHtml(state, questions, words), 'text/html']
        : [reportCsv(state, questions, words), 'text/csv'];
    const date = new Date(state.startedAt).toISOString().slice(0, 10);
    download(new Blob([text], { type: `${type};charset=utf-8` }), `podscope-class-${date}.${format}`);
  };
  const saveAs = (format: 'html' | 'csv') => (): void =>
    void save(format).catch((error: unknown) => notify('error', errorMessage(error)));
  return (
    <p className={styles.group}>
      <Button icon="download" onPress={saveAs('html')}>
        {t(texts.reportHtml)}
      </Button>
      <Button icon="download" onPress={saveAs('csv')}>
        {t(texts.reportCsv)}
      </Button>
    </p>
  );
}
