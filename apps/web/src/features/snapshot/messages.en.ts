/** Contains the English texts of the dialog that explains pods from other clusters. */
import { snapshotTexts } from '@podscope/pod-snapshot/notices';
import { defineMessages } from '../../base/i18n/define-messages.ts';

export const snapshotMessages = defineMessages('snapshot', {
  title: 'Explain a pod from another cluster',
  intro:
    'Paste the kubectl output of a failing pod. It stays in this browser and is sent nowhere; secrets are removed.',
  copyCommand: 'Copy command',
  text: 'Output of kubectl get pod -o yaml',
  open: 'Open file',
  profile: 'Kubelet',
  reading: 'Computing the forecast…',
  empty: 'The diagnosis and forecast appear here.',
  errors: 'Could not read',
  notices: 'Notes',
  headline: '{pod} is {status}',
  standing:
    '{ready, number} of {total, plural, one {# container} other {# containers}} ready, {restarts, plural, one {# ' +
    'restart} other {# restarts}}',
  lineProblem: 'Line {line, number}: {problem}',
  event: 'Event {reason}: {message}',
  outlook: 'Forecast',
  seenFrom: 'as of {time}',
  nothing: 'Nothing happens in the next {length}.',
  well: 'No problems found.',
  continue: 'Continue from here',
  goOnLabel: ', with {name} in the simulator',
  nextStart: 'Next start of {container} not before {time}: back-off {length}',
  nextPull: 'Next pull for {container} not before {time}: back-off {length}',
  start: '{container} starts (restart {attempt, number})',
  exit: '{container} exits with code {exitCode} {reason}',
  exitGuess: '{container} exits with code {exitCode} {reason}, if it behaves as before',
  waitStart: '{container} waits {length} before its next start',
  waitPull: '{container} waits {length} before its image is pulled',
  phase: 'The pod is {phase}',
  gone: 'The pod is deleted',
  compute: 'Compute forecast',
  noContainers: 'No forecast: the containers of the pod are not known yet.',
  notSimulated: 'The kubelet alone does not decide what happens next, so the simulator makes no forecast.',
});

export const snapshotNotices = defineMessages('snapshotNotices', snapshotTexts);
