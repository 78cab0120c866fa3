/**
 * Contains the English texts of the guide to the page. The texts of lanes and terms begin with the explained term and a
 * colon.
 */
import { defineMessages } from '../../base/i18n/define-messages.ts';

export const guideMessages = defineMessages('guide', {
  title: 'How to read this page',
  introduction:
    'Select a pod on the left. The timeline shows its whole life, the tabs below it one sync in detail, and the ' +
    'inspector on the right explains whatever is selected. Everything shows the same moment.',
  marks: 'Marks of pods and steps',
  bars: 'Bars and marks of the timeline',
  lanes: 'Lanes, from top to bottom',
  dots: 'Breakpoints',
  dotsNote:
    'The dot beside a step stops the selected pod before that step. Right-click it for all pods or a condition. ' +
    'A dot ' +
    'with a ring stops all pods, a hollow red dot is disabled, and a dashed dot can never stop.',
  terms: 'Terms',
});

export const markMessages = defineMessages('guideMarks', {
  done: 'done, or completed',
  notNeeded: 'not needed in this sync',
  progressing: 'in progress',
  running: 'running and ready',
  waiting: 'waiting: back-off, volumes, image',
  failed: 'failed',
  terminating: 'terminating, or canceled',
  stopped: 'stopped by the debugger',
  pending: 'pending: has not started',
});

export const laneMessages = defineMessages('guideLanes', {
  pod: 'Pod: its phase.',
  worker: 'Pod worker: each sync as a bar, with its steps and calls inside.',
  sandbox: 'Sandbox: each attempt of the pod’s network and namespaces.',
  containers: 'Containers: init containers first, then sidecars and app containers; one bar per attempt.',
  pulls: 'Image pulls: with their progress.',
  probes: 'Probes: startup, readiness and liveness, one mark per result.',
  events: 'Events: what kubectl describe shows.',
  debug: 'Stops, faults: what the debugger changed.',
});

export const termMessages = defineMessages('guideTerms', {
  sync: 'sync: one pass of the pod worker over a pod.',
  syncPod: 'SyncPod: the function that makes the runtime match the pod’s spec.',
  sandbox: 'sandbox: what the containers of a pod share; in Docker the pause container.',
  cri: 'CRI: the interface between the kubelet and a container runtime.',
  pleg: 'PLEG: compares the runtime’s containers once a second and reports changes.',
  backOff: 'back-off: the wait before a retry; it doubles up to five minutes.',
  syncResult: 'result: what one action of a sync did and to what, with its error if it failed.',
  fault: 'fault: a failure that you inject at a step.',
  override: 'override: your change at a stop. It is marked “modified by you”.',
});
