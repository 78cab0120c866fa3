/** English texts of the Steps tab. */
import { defineMessages } from '../../base/i18n/define-messages.ts';

export const stepsMessages = defineMessages('steps', {
  notRun: 'SyncPod has not run for this pod yet',
  notRunNote:
    'The pod worker calls SyncPod after the kubelet has admitted the pod and its volumes are mounted. The events ' +
    'show what it waits for.',
  inspect: 'Inspect',
  stepsOf: 'Steps of sync {number}',
  otherResults: 'Results outside the steps',
  spoken: 'Step {step}, {title}: {state}',
  spokenDetail: 'Step {step}, {title}: {state}, {detail}',
  sync: 'Sync',
  syncOf: 'sync {number} of {last}',
  previousSync: 'Previous sync',
  nextSync: 'Next sync',
  latest: 'Latest',
});

/** States of a step. */
export const stepStateMessages = defineMessages('stepState', {
  done: 'done',
  failed: 'failed',
  postponed: 'waiting',
  canceled: 'canceled',
  running: 'running',
  stopped: 'stopped here',
  skipped: 'not needed',
  pending: 'pending',
  unreached: 'not reached',
});

/** How a pass came out. */
export const syncOutcomeMessages = defineMessages('syncOutcome', {
  running: 'running',
  failed: 'failed',
  postponed: 'waiting',
  done: 'succeeded',
});
