/** Opens the lesson that the address names, at its step. */
import { useEffect } from 'react';
import { notify } from '../state/interface.ts';

export function useAddressedLesson(): void {
  useEffect(() => {
    const words = new URLSearchParams(location.search);
    const id = words.get('lesson');
    if (!id) return;
    import('./play-lesson.ts')
      .then(({ openLesson }) => openLesson(id, words.get('step') ?? undefined))
      .catch((error: unknown) => notify('error', error instanceof Error ? error.message : String(error)));
  }, []);
}
