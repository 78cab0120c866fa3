/** Finds the lessons that class messages name by id, in the language of this page. */
import { filedLesson, lessonTaskOf, type Task } from '@podscope/classroom';
import type { Lesson } from '@podscope/lessons';
import { findScenario } from '@podscope/scenarios';
import { useQuery } from '@tanstack/react-query';
import { useLanguage, useT } from '../../../base/i18n/i18n.ts';
import { libraryLesson, libraryLessons, parseGivenLesson } from '../../lessons/index.ts';
import { useClass } from '../client/class-store.ts';
import { classMessages as texts } from './messages.en.ts';

/** Returns the lesson with this id; undefined if neither the library nor a task contains it. */
export async function classLesson(id: string, tasks: readonly Task[]): Promise<Lesson | undefined> {
  const task = lessonTaskOf(id, tasks);
  return (task ? parseGivenLesson(task.source) : libraryLesson(id)).catch(() => undefined);
}

/** Returns a function that returns the title of a lesson and of one of its steps. The id replaces an unknown title. */
export function useLessonTitles(): (id: string, step?: string) => readonly string[] {
  const t = useT();
  const language = useLanguage();
  const tasks = useClass(({ state }) => state.tasks);
  const library = useQuery({ queryKey: ['lessons', language], queryFn: libraryLessons, staleTime: Infinity }).data;
  const sent = tasks.flatMap((task) => (task.kind === 'lesson' && task.source ? [task] : []));
  const ofTasks = useQuery({
    queryKey: ['classLessons', language, sent.map(({ id }) => id)],
    queryFn: async () =>
      new Map(
        await Promise.all(
          sent.map(
            async ({ id, source }) => [id, source && (await parseGivenLesson(source).catch(() => undefined))] as const,
          ),
        ),
      ),
    enabled: sent.length > 0,
    staleTime: Infinity,
  }).data;
  return (id, step) => {
    if (id === filedLesson) return [t(texts.filedLesson)];
    const task = lessonTaskOf(id, tasks);
    const lesson = task ? ofTasks?.get(task.id) : library?.find((each) => each.id === id);
    const title = step === undefined ? undefined : (lesson?.steps.find((each) => each.id === step)?.title ?? step);
    return [lesson?.title ?? (task ? t(texts.sentLesson) : id), ...(title === undefined ? [] : [title])];
  };
}

/** Returns a function that returns the title of a scenario. The id replaces an unknown title. */
export function useScenarioTitle(): (id: string) => string {
  const words = useLanguage() === 'zh-CN' ? 'zh' : 'en';
  return (id) => findScenario(id)?.title[words] ?? id;
}
