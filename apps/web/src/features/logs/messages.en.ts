/** English texts of the logs and the terminal. */
import { defineMessages } from '../../base/i18n/define-messages.ts';

export const logMessages = defineMessages('logs', {
  noContainer: 'No container yet',
  container: 'Container',
  instance: 'Instance',
  current: 'Current',
  previous: 'Previous',
  search: 'Search log',
  times: 'Timestamps',
  wrap: 'Wrap',
  follow: 'Follow',
  noMatch: 'No matching lines',
  inAll: '{count, plural, one {# line} other {# lines}} in total.',
  waitingForNode: 'Waiting for the node',
  reading: 'Reading the log…',
  nothingYet: 'No output yet',
  empty: 'The log is empty',
  matches: '{count, plural, one {# line matches} other {# lines match}} of {total, number}',
  logOf: 'Log of {name}',
  dropped: '{count, number} earlier lines were dropped.',
  restarting: 'restarting',
  attempt: 'attempt {attempt}',
  notThere: 'A recorded run has no logs: the runtime keeps them, not the run.',
  nothingThen: 'No output at that time',
  upTo:
    'Log up to {clock}: {count, plural, =0 {no later lines} one {one later line is hidden} other {# later lines ' +
    'are hidden}}.',
  otherInstance: 'This log belongs to a later instance',
  previousInstance: 'Attempt {attempt} was running at {clock}: choose Previous for its log.',
  olderInstance: 'Attempt {attempt} was running at {clock}. The node keeps only the logs of the two newest instances.',
  selectedAt: 'selected: {what}',
  travelTo: 'Show the run at {clock}',
  view: 'View',
  log: 'Log',
  terminal: 'Terminal',
});

export const terminalMessages = defineMessages('terminal', {
  shellIn: 'Shell in {name}',
  past: 'The terminal needs the live run. Go back to live to open a shell.',
  recorded: 'A recorded run has no containers for a shell.',
  readOnly: 'The server is read-only and runs no commands.',
  alone:
    'The engine in this page simulates containers without a shell. Start a server with --runtime sim or docker ' +
    'to open one.',
  disconnected: 'Waiting for the node.',
  notRunning: '{name} is not running.',
  notRunningTitle: 'No shell available',
  loading: 'Loading the terminal…',
  opening: 'Opening…',
  open: 'Connected',
  ended: 'The shell exited',
  endedWith: 'The shell exited with code {code}',
  failed: 'Could not open the shell',
  again: 'Reopen',
  command: 'Command',
});
