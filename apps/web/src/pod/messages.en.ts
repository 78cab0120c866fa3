/** What is said of the pod in view, and of deleting it. */
import { defineMessages } from '../i18n/define-messages.ts';

export const podHeaderMessages = defineMessages('podHeader', {
  nextTryDue: 'next try is due',
  nextTryIn: 'next try in {time}',
  backOff: '(back-off {seconds} s)',
  delete: 'Delete',
  deleteSooner: 'Delete sooner',
  deleteNamed: 'Delete {name}',
  deleteQuestion: 'Delete {name}?',
  deleteText: 'Its preStop hooks run, then its containers get SIGTERM, and SIGKILL when the grace period is over. Its history stays here.',
  gracePeriod: 'Grace period in seconds',
  keep: 'Keep',
  deletePod: 'Delete pod',
  beingDeleted: 'pod/{name} is being deleted.',
});
