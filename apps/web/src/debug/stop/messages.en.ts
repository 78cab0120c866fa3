/** What the stop says. */
import { defineMessages } from '../../i18n/define-messages.ts';

export const stopMessages = defineMessages('stop', {
  stopped: 'Stopped {phase, select, after {after} other {before}}',
  callStack: 'Call stack',
  variables: 'Variables',
  watch: 'Watch',
  changedSince: 'Changed since the last stop',
  upstream: 'upstream: {name}',
  absent: 'absent',
  nothing: 'nothing',
  more: '{count} more of {total}',
  changed: 'changed',
  changedTitle: 'Another value than at the last stop',
  setValue: 'Give {name} another value',
  newValue: 'New value of {name}, as JSON',
  notJson: 'That is not JSON.',
  removeWatch: 'Remove {expression}',
  watchPlaceholder: 'An expression (CEL): attempt > 1',
  addWatch: 'Add a watch expression',
});

/** Titles that the engine gives to scopes (packages/debugger/src/inspect/frame-scopes.ts). */
export const scopeMessages = defineMessages('scopes', {
  arguments: 'Arguments',
  result: 'Result',
  decision: 'Decision',
  found: 'Found',
  request: 'CRI request',
  response: 'CRI response',
  podStatus: 'Pod status',
  apiStatus: 'API status',
  mirrorPod: 'Mirror pod',
  container: 'Container',
  sandboxConfig: 'Sandbox config',
  containerConfig: 'Container config',
  backOff: 'Back-off',
  imageBackOff: 'Image back-off',
  imageErrors: 'Image errors',
  syncResults: 'Sync results',
  sync: 'Sync',
});
