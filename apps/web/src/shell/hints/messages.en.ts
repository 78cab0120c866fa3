/** Contains the English texts of the first-run hints. */
import { defineMessages } from '../../base/i18n/define-messages.ts';

export const hintMessages = defineMessages('hints', {
  label: 'Hint',
  position: 'Hint {number} of {count}',
  next: 'Next hint',
  done: 'Got it',
  hide: 'Hide hints',
  stopTitle: 'Stop the kubelet at a step',
  stop:
    'Click the dot beside a step. The next sync stops there: inspect its variables, change what happens, ' +
    'continue.',
  stopCallTitle: 'Stop a call of the kubelet',
  stopCall:
    'Click the dot beside a CRI call. The next such call waits until you continue, or until its deadline is near.',
  findStopTitle: 'Go back to a step',
  findStop:
    'Click the dot beside a step, then press Shift+F8. The page shows the last moment when the kubelet was there.',
  travelTitle: 'Go back in time',
  travel: 'Drag the slider below the timeline. Every panel shows that moment. Press L to return to live.',
  whyTitle: 'See why',
  why:
    'Select anything in the timeline. The inspector lists each rule that the kubelet evaluated and the values it ' +
    'used.',
  findTitle: 'Use the keyboard',
  find: '{key} finds pods, syncs, scenarios and commands. ? lists all shortcuts.',
});
