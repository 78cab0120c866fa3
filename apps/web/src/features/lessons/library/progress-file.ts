/** Reads and writes the progress in lessons as a file, to move it to another browser or computer. */
import { z } from 'zod';
import { translate } from '../../../base/i18n/i18n.ts';
import { setPreference, usePreferences } from '../../../base/preferences/preferences.ts';
import { lessonMessages } from '../messages.en.ts';

const name = z.string().max(200);
const progressSchema = z.object({
  format: z.literal('podscope-progress'),
  version: z.literal(1),
  /** Ids of the finished steps, by lesson id. */
  lessons: z.record(name, z.array(name).max(1_000).readonly()),
});

export const progressFileName = 'podscope-progress.json';

/** Returns the progress as the text of a file. */
export const progressText = (): string =>
  `${JSON.stringify(
    {
      format: 'podscope-progress',
      version: 1,
      lessons: usePreferences.getState().lessonProgress,
    } satisfies z.infer<typeof progressSchema>,
    undefined,
    2,
  )}\n`;

/**
 * Adds the finished steps in a file to the progress of this browser.
 * @throws Error for any other kind of file
 */
export function loadProgress(text: string): void {
  const json = ((): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      return undefined;
    }
  })();
  const { data } = progressSchema.safeParse(json);
  if (!data) throw new Error(translate(lessonMessages.noProgress));
  const { lessonProgress } = usePreferences.getState();
  const merged = Object.entries(data.lessons).map(([lesson, steps]) => [
    lesson,
    [...new Set([...(lessonProgress[lesson] ?? []), ...steps])],
  ]);
  setPreference({ lessonProgress: { ...lessonProgress, ...Object.fromEntries(merged) } });
}
