/** Contains the English texts of the Code tab. */
import { defineMessages } from '../../base/i18n/define-messages.ts';

export const codeMessages = defineMessages('code', {
  fileName: 'File: {name}',
  openFile: 'Open another file (Ctrl+P)',
  find: 'Go to file or function',
  findLabel: 'File or kubelet function',
  noFile: 'No matches',
  upstream: 'upstream: {name}',
  upstreamTitle: 'The upstream kubelet function with this name',
  otherVersion: 'The node runs a different engine version than this page was built from.',
  line: 'Line {line}',
  setBreakpoint: 'Set breakpoint',
  setForAllPods: 'Set breakpoint for all pods',
  removeBreakpoint: 'Remove breakpoint',
  runToHere: 'Run to here',
  notStoppable: 'No breakpoint possible here; use a line with a ring.',
  noDebugger: 'A recorded run can’t be stopped.',
  back: 'Go to current line',
  lineMenu: 'Line {line}',
  variable: 'in the stopped frame',
  attribute: 'of the selected span',
  noValue: 'no value',
});
