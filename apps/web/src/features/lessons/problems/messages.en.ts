/** Contains the English texts of the problems of lessons. */
import { lessonProblemTexts } from '@podscope/lessons/problem-texts';
import { defineMessages } from '../../../base/i18n/define-messages.ts';

export const problemTexts = defineMessages('lessonProblems', lessonProblemTexts);
