/** What the Code tab says. */
import { defineMessages } from '../i18n/define-messages.ts';

export const codeMessages = defineMessages('code', {
  file: 'File',
  upstream: 'upstream: {name}',
  upstreamTitle: 'The kubelet’s own function of this name',
  otherVersion: 'The node runs another version of the engine than this page was built from.',
  line: 'Line {line}',
  setBreakpoint: 'Set breakpoint',
  removeBreakpoint: 'Remove breakpoint',
  runToHere: 'Run to here',
  notStoppable: 'Nothing stops at this line: the lines with a ring do.',
  noDebugger: 'A recorded run cannot be stopped.',
  back: 'To the line in view',
  lineMenu: 'Line {line}',
  variable: 'in the stopped frame',
  attribute: 'of the selected span',
  noValue: 'no value',
});
