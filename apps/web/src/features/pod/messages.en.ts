/** Contains the English texts of the pod header and the deletion dialog. */
import { defineMessages } from '../../base/i18n/define-messages.ts';

export const podHeaderMessages = defineMessages('podHeader', {
  nextTryDue: 'next attempt due',
  nextTryIn: 'next attempt in {time}',
  backOff: '(back-off {seconds} s)',
  delete: 'Delete',
  deleteSooner: 'Delete sooner',
  deleteNamed: 'Delete {name}',
  deleteQuestion: 'Delete {name}?',
  deleteText:
    'preStop hooks run first, then containers get SIGTERM, and SIGKILL after the grace period. The history of ' +
    'the pod is kept.',
  gracePeriod: 'Grace period (seconds)',
  keep: 'Cancel',
  deletePod: 'Delete pod',
  beingDeleted: 'pod/{name} is being deleted.',
});
