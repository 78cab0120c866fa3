/** Opens the lesson and the step that the page's address names. */
import { errorMessage } from '@podscope/base';
import { useEffect } from 'react';
import { notify } from '../../base/notices/notices.ts';
import { readAddressedLesson } from '../../node/address/address.ts';
import { openLibraryLesson } from './open-lesson.ts';

export function useAddressedLesson(): void {
  useEffect(() => {
    const addressed = readAddressedLesson();
    if (!addressed) return;
    openLibraryLesson(addressed.lesson, addressed.step).catch((error: unknown) => notify('error', errorMessage(error)));
  }, []);
}
