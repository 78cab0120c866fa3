/** Contains the English texts of the panel of a stopped pod. */
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
  watchTooLong: 'An expression can have at most {most, number} characters.',
  tooManyWatches: 'There can be at most {most, number} watch expressions. Remove one first.',
  holdEnds: 'Continues by itself in {left}',
  holdEndsTitle:
    'At {end} the relay forwards the call, so that the kubelet gets its answer before the deadline at {deadline}.',
  deadlineIn: 'Deadline in {left}',
  noDeadline: 'The call has no deadline: it is held until you continue it or the last client disconnects.',
  alsoWaiting: 'Also waiting',
  samePod: 'of the same pod',
  serialPull: 'pull for {pod}, after this one',
  inferred: 'inferred',
  inferredTitle:
    'The kubelet pulls one image at a time and has not requested this pull yet. The runtime does not have the image.',
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
