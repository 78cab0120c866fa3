/** Renders the choice of a lesson that the teacher sends to the class: one of the library, or one of the teacher's. */
import { errorMessage } from '@podscope/base';
import { classLimits } from '@podscope/classroom';
import { forLearners, type Lesson } from '@podscope/lessons';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { FileTrigger } from 'react-aria-components';
import { useLanguage, useT } from '../../../base/i18n/i18n.ts';
import { notify } from '../../../base/notices/notices.ts';
import { Button } from '../../../base/ui/fields/Button.tsx';
import { Select } from '../../../base/ui/fields/Select.tsx';
import { draftLesson } from '../../lesson-editor/index.ts';
import { checkedGivenLesson, type GivenLesson, lessonOfFiles, libraryLessons, useLesson } from '../../lessons/index.ts';
import { classMessages as texts } from '../shared/messages.en.ts';
import type { NewTask } from './teach.ts';

/** Value in the list of steps that selects the whole lesson. */
const wholeLesson = '-';

interface Choice {
  /** Value in the list of lessons. */
  readonly key: string;
  readonly lesson: Lesson;
  readonly source?: GivenLesson;
}

/** Returns the lessons of the teacher: the open one, the draft of the editor, and those from files. */
function useOwnLessons(files: readonly GivenLesson[]): readonly Choice[] {
  const language = useLanguage();
  const open = useLesson(({ source }) => source);
  const draft = useQuery({
    queryKey: ['draftLesson'],
    queryFn: async () => (await draftLesson()) ?? null,
    gcTime: 0,
  }).data;
  const sources = [...files, open, draft].filter((source) => source !== undefined && source !== null);
  const own = useQuery({
    queryKey: ['ownLessons', language, sources],
    queryFn: async () => {
      // A draft that isn't complete can't be sent.
      const read = sources.map(async (source) => {
        const lesson = await checkedGivenLesson(source).catch(() => undefined);
        return lesson ? [{ key: ownKey(lesson), lesson, source }] : [];
      });
      const choices = (await Promise.all(read)).flat();
      return choices.filter(({ key }, index) => choices.findIndex((each) => each.key === key) === index);
    },
    placeholderData: (before) => before,
    gcTime: 0,
  });
  return own.data ?? [];
}

const ownKey = ({ id }: Lesson): string => `own:${id}`;

const isTooLong = ({ text, translation = '' }: GivenLesson): boolean =>
  text.length > classLimits.document || translation.length > classLimits.document;

/** Returns the source as a task contains it: without solutions and notes, because learners receive it. */
const sentSource = ({ text, translation }: GivenLesson) => ({
  text: forLearners(text),
  ...(translation === undefined ? {} : { translation: forLearners(translation) }),
});

/** Returns the chosen task, and the fields with which the teacher chooses it. */
export function useLessonTask(): { readonly task: NewTask | undefined; readonly field: ReactElement } {
  const t = useT();
  const language = useLanguage();
  const [key, setKey] = useState<string>();
  const [step, setStep] = useState(wholeLesson);
  const [files, setFiles] = useState<readonly GivenLesson[]>([]);
  const library = useQuery({ queryKey: ['lessons', language], queryFn: libraryLessons }).data ?? [];
  const own = useOwnLessons(files);
  const choices: readonly Choice[] = [...own, ...library.map((lesson) => ({ key: lesson.id, lesson }))];
  const chosen = choices.find((each) => each.key === key) ?? choices[own.length];
  const problem =
    chosen?.source && isTooLong(chosen.source) ? t(texts.lessonTooLong, { most: classLimits.document }) : undefined;
  const addFiles = async (list: FileList | null): Promise<void> => {
    try {
      const source = await lessonOfFiles(Array.from(list ?? []));
      if (!source) return;
      // Reports the problems of an invalid lesson.
      const lesson = await checkedGivenLesson(source);
      setFiles([source, ...files]);
      setKey(ownKey(lesson));
      setStep(wholeLesson);
    } catch (error) {
      notify('error', errorMessage(error));
    }
  };
  const task: NewTask | undefined =
    chosen && problem === undefined
      ? {
          kind: 'lesson',
          lesson: chosen.lesson.id,
          ...(step === wholeLesson ? {} : { step }),
          ...(chosen.source ? { source: sentSource(chosen.source) } : {}),
        }
      : undefined;
  const field = (
    <>
      <Select
        label={t(texts.taskKind, { kind: 'lesson' })}
        value={chosen?.key}
        options={choices.map(({ key: id, lesson: { title }, source }) => ({
          id,
          label: title,
          note: source && t(texts.ownLesson),
        }))}
        onChange={(id) => {
          setKey(id);
          setStep(wholeLesson);
        }}
      />
      <Select
        label={t(texts.lessonStep)}
        value={step}
        options={[
          { id: wholeLesson, label: t(texts.wholeLesson) },
          ...(chosen?.lesson.steps ?? []).map(({ id, title }) => ({ id, label: title })),
        ]}
        onChange={setStep}
      />
      <FileTrigger acceptedFileTypes={['.md', 'text/markdown']} allowsMultiple onSelect={(list) => void addFiles(list)}>
        <Button icon="file">{t(texts.chooseLesson)}</Button>
      </FileTrigger>
      {problem !== undefined && <p role="alert">{problem}</p>}
    </>
  );
  return { task, field };
}
