/** Returns the titles and descriptions of the flow's points in the language of the page, by point id. */
import { stepText } from '@podscope/flow';
import type { translate } from '../../base/i18n/i18n.ts';

/**
 * Returns the title of a point.
 * @param recorded the title in the event, for points that this version of the page doesn't know
 */
export const pointTitle = (t: typeof translate, id: string, recorded: string): string => {
  const english = stepText(id, 'en');
  return english ? t({ id: `point.${id}.title`, message: english.title }) : recorded;
};

/** Returns one sentence that describes what happens at a point. */
export const pointDescription = (t: typeof translate, id: string, recorded: string): string => {
  const english = stepText(id, 'en');
  return english ? t({ id: `point.${id}.description`, message: english.description }) : recorded;
};
