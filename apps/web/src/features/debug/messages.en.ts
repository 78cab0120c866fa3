/** Contains the English texts of the debugger bar. */
import { defineMessages } from '../../base/i18n/define-messages.ts';

export const debugMessages = defineMessages('debug', {
  label: 'Debugger',
  continue: 'Continue',
  pause: 'Pause at the next step',
  pausing: 'Pausing at the next step…',
  stepOver: 'Step over',
  stepIn: 'Step into',
  stepOut: 'Step out',
  restartSync: 'Restart sync',
  intervene: 'Override',
  stopPlace: '{phase, select, after {after} other {before}} {step}',
  stopReason:
    '{reason, select, breakpoint {Breakpoint: {where}} goto {Run to here: {where}} restart ' +
    '{Restarted: {where}} pause {Paused {where}} other {Step: {where}}}',
  showPlace: 'Show the stopped location',
  count: '{count, plural, =0 {Breakpoints} one {# breakpoint} other {# breakpoints}}',
  faults: '{count, plural, =0 {Faults} one {# fault} other {# faults}}',
  continueAll: '{count, plural, one {Continue # stopped pod} other {Continue all # pods}}',
  cancelPause: 'Cancel pause',
  notStoppedYet: 'The pod is still running: it pauses at its next step.',
  notStopped: 'The pod is running. Pause it first (F8) or set a breakpoint.',
  stepBreakpoint: 'Breakpoint before {title}',
  stepBreakpointHint: 'Stop {pod} here. Right-click for all pods or a condition.',
  stepToFindScope:
    '{scope, select, all {Shift+F8 finds this step of all pods.} other {Shift+F8 finds this step of {pod}.}} ' +
    'Right-click to edit.',
  stepToFindHint: 'Let Shift+F8 find this step of {pod}. Right-click for all pods or a condition.',
  stepBreakpointScope: '{scope, select, all {Stops all pods here.} other {Stops {pod} here.}} Right-click to edit.',
});
