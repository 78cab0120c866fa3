/** English texts of the panel of a stopped pod. */
import { defineMessages } from '../../../base/i18n/define-messages.ts';

export const stopMessages = defineMessages('stop', {
  stopped: 'Stopped {phase, select, after {after} other {before}}',
  callStack: 'Call stack',
  variables: 'Variables',
  watch: 'Watch',
  changedSince: 'Changed since last stop',
  upstream: 'upstream: {name}',
  absent: 'absent',
  nothing: 'empty',
  more: '{count} more of {total}',
  changed: 'changed',
  changedTitle: 'Changed since last stop',
  setValue: 'Edit {name}',
  newValue: 'New value of {name} (JSON)',
  notJson: 'Not valid JSON.',
  removeWatch: 'Remove {expression}',
  watchPlaceholder: 'Expression (CEL): attempt > 1',
  addWatch: 'Add watch expression',
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
