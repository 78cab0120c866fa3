/** What the debugger says. */
import { defineMessages } from '../i18n/define-messages.ts';

export const debugMessages = defineMessages('debug', {
  label: 'Debugger',
  continue: 'Continue',
  pause: 'Pause at the next gate',
  pausing: 'Pausing: it stops where its worker next passes a gate',
  stepOver: 'Step over',
  stepIn: 'Step into',
  stepOut: 'Step out',
  restartSync: 'Restart the sync',
  intervene: 'Intervene',
  stopPlace: '{phase, select, after {after} other {before}} {step}',
  stopReason:
    '{reason, select, breakpoint {Breakpoint {breakpoints}: {where}} goto {Run to here: {where}} restart {Restarted: {where}} pause {Paused {where}} other {Step: {where}}}',
  showPlace: 'Show where it stands',
  count: '{count, plural, =0 {Breakpoints} one {# breakpoint} other {# breakpoints}}',
  faults: '{count, plural, =0 {Faults} one {# fault} other {# faults}}',
  stepBreakpoint: 'Breakpoint before {title}',
});
