/** Contains the Chinese titles and descriptions of the flow's points. */
import { stepText, stepTextIDs } from '@podscope/flow';
import type { Catalogue } from '../../base/i18n/define-messages.ts';

export const pointTexts: Catalogue = Object.fromEntries(
  stepTextIDs.flatMap((id) => {
    const { title = '', description = '' } = stepText(id, 'zh-CN') ?? {};
    return [
      [`point.${id}.title`, title],
      [`point.${id}.description`, description],
    ];
  }),
);
