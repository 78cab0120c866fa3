/** What the hints say. */
import { defineMessages } from '../../i18n/define-messages.ts';

export const hintMessages = defineMessages('hints', {
  label: 'Hint',
  position: 'Hint {number} of {count}',
  next: 'Next hint',
  done: 'Got it',
  hide: 'Hide the hints',
  stopTitle: 'Stop the kubelet at a step',
  stop: 'Click the dot beside a step. The next sync stands still there: look at its variables, change what happens, go on.',
  travelTitle: 'Go back in time',
  travel: 'Drag the slider below the timeline. Every panel shows that instant; L brings you back.',
  whyTitle: 'Ask why',
  why: 'Select anything in the timeline. The inspector names each rule the kubelet weighed, with the facts it saw.',
  findTitle: 'Everything by keyboard',
  find: '{key} finds pods, syncs, scenarios and commands. ? shows all keys.',
});
