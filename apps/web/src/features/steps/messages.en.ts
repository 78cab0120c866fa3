/** Contains the English texts of the Steps tab. */
import { defineMessages } from '../../base/i18n/define-messages.ts';

export const stepsMessages = defineMessages('steps', {
  notRun: 'The first sync has not begun. All steps are pending.',
  neverRan: 'No sync ran for this pod.',
  forgotten: 'The syncs of this pod ran before the oldest stored event.',
  refused: 'The kubelet refused this pod, so no sync runs for it.',
  stepsOf: 'Steps of sync {number}',
  stepsToCome: 'Steps of the first sync',
  spoken: 'Step {step}, {title}: {state}',
  spokenDetail: 'Step {step}, {title}: {state}, {detail}',
  spokenDone: 'Step {step}, {title}: {detail}, {state}',
  spokenPlain: '{title}: {state}',
  spokenPlainDetail: '{title}: {state}, {detail}',
  spokenPlainDone: '{title}: {detail}, {state}',
  sync: 'Sync',
  syncOf: 'sync {number} of {last}',
  laterSyncs: '{count, plural, one {# later sync} other {# later syncs}} changed nothing',
  previousSync: 'Previous sync',
  nextSync: 'Next sync',
  latest: 'Latest',
  view: 'View',
  tree: 'Tree',
  waterfall: 'Waterfall',
  depth: 'Open the tree down to',
  hideNotRun: 'Hide steps that did not run',
  deadlineIn: 'deadline in {left}',
});

/** Levels of the tree that can be initially open. */
export const depthMessages = defineMessages('stepDepth', {
  kubelet: 'kubelet steps',
  kuberuntime: 'kuberuntime steps',
  functions: 'containers',
  cri: 'CRI calls',
  all: 'everything',
});

/** States of a step. */
export const stepStateMessages = defineMessages('stepState', {
  done: 'done',
  failed: 'failed',
  waiting: 'waiting',
  canceled: 'canceled',
  running: 'running',
  stopped: 'stopped here',
  skipped: 'not needed',
  pending: 'pending',
  unreached: 'not reached',
  undecidable: 'not decidable',
});

/** The verdict on a sync of a genuine kubelet. */
export const shadowMessages = defineMessages('shadow', {
  agrees: 'as predicted',
  differs: 'differs from the prediction',
  unknown: 'not decidable',
  predicted: 'Predicted, but not called: {call}',
  observed: 'Called, but not predicted: {call}',
  order: 'Called in another order: {call}',
  missing: 'An input that no source shows decides: {input}',
  exactBounds: 'The start and end of this sync are exact: the kubelet itself reported them.',
  inferredBounds: 'The start and end of this sync are inferred from its calls.',
  save: 'Save this sync as a file',
  notCalled: 'predicted, not called',
  notPredicted: 'not predicted',
});
