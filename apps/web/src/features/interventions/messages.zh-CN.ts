/** Contains the Chinese texts of marks of injected changes. */
import { translateMessages } from '../../base/i18n/define-messages.ts';
import { interventionMessages } from './messages.en.ts';

export const interventions = translateMessages(interventionMessages, {
  injected: '注入',
});
