/** Contains the English texts of marks of injected changes. */
import { defineMessages } from '../../base/i18n/define-messages.ts';

export const interventionMessages = defineMessages('interventions', {
  injected: 'injected',
});
