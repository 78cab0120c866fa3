/** What the steps and their results say. */
import { defineMessages } from '../i18n/define-messages.ts';

export const stepsMessages = defineMessages('steps', {
  notRun: 'SyncPod has not run for this pod yet',
  notRunNote: 'The pod worker calls it once the kubelet has admitted the pod and its volumes are there. The events tell what it waits for.',
  inspect: 'Inspect',
  stepsOf: 'Steps of sync {number}',
  otherResults: 'Results outside of the steps',
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
  postponed: 'postponed',
  canceled: 'canceled',
  running: 'running',
  stopped: 'stopped here',
  skipped: 'skipped',
  pending: 'to come',
  unreached: 'not reached',
});

/** How a pass came out. */
export const syncOutcomeMessages = defineMessages('syncOutcome', {
  running: 'running',
  failed: 'failed',
  postponed: 'postponed',
  done: 'succeeded',
});
