/** Opens a lesson; the player is loaded with the first one. */

/** Opens a lesson from its text. @throws Error that lists every problem with its line */
export const openOwnLesson = async (text: string, name: string): Promise<void> =>
  (await import('./play-lesson.ts')).openOwnLesson(text, name);
